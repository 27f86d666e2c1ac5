import { shellWord } from '../wire/printable.ts';

/** A denied request about a variable of the scheduler. */
interface Denied {
  readonly method: string;
  /** Without its query: `/v1/var/app/db`. */
  readonly path: string;
  readonly namespace: string;
}

const capabilities: Readonly<Record<string, string>> = { GET: 'read', DELETE: 'destroy' };

/**
 * The command that creates a policy with the permission that a request about a variable lacks.
 *
 * @param program what it begins with: `lanyard`.
 * @returns undefined: the request is about something else.
 */
export function policyForVariable({ method, path, namespace }: Denied, program: string): string | undefined {
  const [, variable] = /^\/v1\/var\/(.+)$/.exec(path) ?? [];
  if (variable === undefined) return undefined;
  const capability = capabilities[method] ?? 'write';
  const rules = `namespace "${namespace}" { variables { path "${variable}" { capabilities = ["${capability}"] } } }`;
  const name = `${variable}-${capability}`.replace(/[^a-zA-Z0-9]+/g, '-').slice(0, 128);
  return `${program} scheduler acl policy put ${name} --rules ${shellWord(rules)}`;
}
