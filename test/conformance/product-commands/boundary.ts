import type { ProductCommands } from './command.ts';

export const boundaryCommands: ProductCommands = {
  product: 'boundary',
  program: 'boundary',
  version: '0.21.0',
  lines: [],
};
