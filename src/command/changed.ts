import type { ServiceName } from '../wire/services.ts';

/**
 * What a command may change: on this machine, or the objects of a service, by the service or by the group of commands
 * that manages them.
 *
 * `profiles`, `tokens`: the profile in use or named, and its stored tokens. `files`: files that the command line names,
 * and those next to them. `ssh files`: in ~/.ssh. `sshd files`: below the directory of the configuration of sshd, and
 * units of systemd.
 */
export type Changed =
  | 'profiles'
  | 'tokens'
  | 'aliases'
  | 'files'
  | 'ssh files'
  | 'sshd files'
  | 'download count'
  | 'kv'
  | ServiceName
  | `secrets ${'token' | 'lease' | 'identity' | 'mount'}`
  | 'acl token'
  | 'scheduler acl token'
  | `registry ${'kv' | 'session' | 'service' | 'node'}`
  | `account ${'token' | 'user' | 'role' | 'scope'}`;

const local: ReadonlySet<string> = new Set<Changed>([
  'profiles',
  'tokens',
  'aliases',
  'files',
  'ssh files',
  'sshd files',
]);

/** Whether it is on this machine. */
export const isLocal = (changed: string): boolean => local.has(changed);
