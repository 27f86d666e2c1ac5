import type { ProductCommands } from './command.ts';

export const nomadCommands: ProductCommands = {
  product: 'nomad',
  program: 'nomad',
  version: '2.0.6',
  lines: [],
};
