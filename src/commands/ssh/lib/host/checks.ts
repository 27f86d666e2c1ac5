import { isFailure, isKind, type LanyardError } from '../../../../errors.ts';

/** One line of `ssh host status`. */
export interface Check {
  /** What was checked: a file, `sshd`, `timer`, `login`. */
  readonly name: string;
  /** `unknown`: it could not be checked. */
  readonly state: 'ok' | 'problem' | 'unknown';
  readonly message: string;
}

export const ok = (name: string, message: string): Check => ({ name, state: 'ok', message });
export const problem = (name: string, message: string): Check => ({ name, state: 'problem', message });
export const unknown = (name: string, message: string): Check => ({ name, state: 'unknown', message });

/** A check whose part at the service failed: an unreachable service is not a problem of the host. */
export function notCompared(name: string, local: string, error: unknown): Check {
  if (!isFailure(error)) throw error;
  const state = isKind('unreachable', 'unavailable')(error) ? unknown : problem;
  return state(name, `${local}; not compared with the service: ${messageOf(error)}`);
}

const messageOf = ({ message, details }: LanyardError): string => [message, ...details].join(': ');
