import type { PathDescription } from '../engine.ts';
import { flag, integer, text } from './field.ts';

/** The paths below `sys/` that work in every state and without a token (`unauthenticatedRoutes`). */
export const unauthenticatedPaths: readonly PathDescription[] = [
  {
    path: 'health',
    summary: 'Report by status code whether the service is ready, sealed or uninitialized.',
    operations: ['read'],
    fields: {
      activecode: integer('Status code when ready (default 200).'),
      sealedcode: integer('Status code when sealed (default 503).'),
      uninitcode: integer('Status code when uninitialized (default 501).'),
    },
  },
  {
    path: 'seal-status',
    summary: 'Show the seal status and the number of key shares.',
    operations: ['read'],
  },
  {
    path: 'init',
    summary: 'Show whether the service is initialized, or initialize it and return its key shares.',
    operations: ['read', 'update'],
    fields: {
      secret_shares: integer('Number of key shares to generate (default 5).'),
      secret_threshold: integer('Number of key shares required to unseal (default 3).'),
    },
  },
  {
    path: 'unseal',
    summary: 'Provide a key share; enough of them unseal the service.',
    operations: ['update'],
    fields: {
      key: text('A key share, in hex or base64.'),
      reset: flag('Discard the key shares provided so far.'),
    },
  },
  { path: 'leader', summary: 'Show the leader; high availability is not enabled.', operations: ['read'] },
];
