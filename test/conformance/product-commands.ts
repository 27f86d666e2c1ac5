import { boundaryCommands } from './product-commands/boundary.ts';
import type { ProductCommands } from './product-commands/command.ts';
import { consulCommands } from './product-commands/consul.ts';
import { nomadCommands } from './product-commands/nomad.ts';
import { openbaoCommands } from './product-commands/openbao.ts';

/** The command lines of the products' own programs, in the order of docs/compatibility.md. */
export const productCommands: readonly ProductCommands[] = [
  boundaryCommands,
  consulCommands,
  nomadCommands,
  openbaoCommands,
];
