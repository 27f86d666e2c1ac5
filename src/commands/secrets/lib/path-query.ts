import { arg } from '../../../command/command.ts';
import { usage } from '../../../errors.ts';

export const pathArg = arg.text('PATH', 'mount and path, such as ssh/roles/deploy', {
  completes: 'secrets-path',
});

/** The path and the query of an argument `PATH?QUERY`. */
export function parsePathQuery(text: string): { readonly path: string; readonly search?: string } {
  const at = text.indexOf('?');
  return at < 0 ? { path: text } : { path: text.slice(0, at), search: text.slice(at + 1) };
}

/** @throws LanyardError usage: a path with a query, which only read and list support. */
export function rejectQuery(method: string, path: string): void {
  if (!path.includes('?')) return;
  throw usage(`invalid path "${path}": a query is only valid with "secrets read" and "secrets list"`, {
    hint: `Run "lanyard api secrets ${method} '${path}'" to send it with a query, or write "?" as %3F there.`,
  });
}

export function warningsOf(body: unknown): { readonly warnings: readonly string[] } {
  const { warnings } = (typeof body === 'object' && body !== null ? body : {}) as { warnings?: unknown };
  return { warnings: Array.isArray(warnings) ? warnings.filter((each) => typeof each === 'string') : [] };
}
