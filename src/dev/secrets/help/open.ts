import type { PathDescription } from '../engine.ts';
import { flag, integer, text } from './field.ts';

/** The paths below `sys/` that work in every state and without a token (`openRoutes`). */
export const openPaths: readonly PathDescription[] = [
  {
    path: 'health',
    summary: 'Says by its status whether the service is ready, sealed or not initialised.',
    operations: ['read'],
    fields: {
      activecode: integer('The status when it is ready, instead of 200.'),
      sealedcode: integer('The status when it is sealed, instead of 503.'),
      uninitcode: integer('The status when it is not initialised, instead of 501.'),
    },
  },
  { path: 'seal-status', summary: 'Shows the seal, and how many key shares it has.', operations: ['read'] },
  {
    path: 'init',
    summary: 'Shows whether the service is initialised, or initialises it and gives its key shares.',
    operations: ['read', 'update'],
    fields: {
      secret_shares: integer('How many key shares to make; 5 by default.'),
      secret_threshold: integer('How many of them unseal; 3 by default.'),
    },
  },
  {
    path: 'unseal',
    summary: 'Takes a key share; enough of them unseal the service.',
    operations: ['update'],
    fields: {
      key: text('A key share, in hex or base64.'),
      reset: flag('Forget the key shares given so far.'),
    },
  },
  { path: 'leader', summary: 'Says that there is no other server to lead.', operations: ['read'] },
];
