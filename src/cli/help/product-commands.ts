import { boundary } from './product-commands/boundary.ts';
import { consul } from './product-commands/consul.ts';
import { nomad } from './product-commands/nomad.ts';
import type { ProductCommand } from './product-commands/row.ts';
import { vagrant } from './product-commands/vagrant.ts';
import { vault } from './product-commands/vault.ts';

/** The everyday commands of the products' programs, by the name of the help topic. */
export const productCommands: Readonly<
  Record<'vault' | 'consul' | 'nomad' | 'boundary' | 'vagrant', readonly ProductCommand[]>
> = { vault, consul, nomad, boundary, vagrant };
