import { arg } from '../../command.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors.ts';

export const pathArg = arg.text('PATH', 'the path, its mount included, such as ssh/roles/deploy');

/** The path and the query of an argument `PATH?QUERY`. */
export function withQuery(text: string): { readonly path: string; readonly search?: string } {
  const at = text.indexOf('?');
  return at < 0 ? { path: text } : { path: text.slice(0, at), search: text.slice(at + 1) };
}

/** @throws LanyardError usage: a path with a query, which only reading and listing have. */
export function refuseQuery(method: string, path: string): void {
  if (!path.includes('?')) return;
  throw usage(`invalid path "${path}": a query is only valid with "secrets read" and "secrets list"`, {
    hint: `Run "lanyard api secrets ${method} '${path}'" to send it with a query, or write "?" as %3F there.`,
  });
}

/** Texts of answers are masked from this length on: shorter ones are mostly words that a log needs. */
const shortestMasked = 8;

/**
 * Masks what may be secret in an answer of any path in the log of a CI service. Which values are secrets is not
 * known here, so every text in it is taken for one.
 */
export function maskTexts(io: Pick<Context['io'], 'mask'>, value: unknown): void {
  if (typeof value === 'string') {
    if (value.length >= shortestMasked) io.mask(value);
  } else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) maskTexts(io, member);
}

/** The warnings of an answer of any path, if it has the form that has them. */
export function warningsIn(body: unknown): { readonly warnings: readonly string[] } {
  const { warnings } = (typeof body === 'object' && body !== null ? body : {}) as { warnings?: unknown };
  return { warnings: Array.isArray(warnings) ? warnings.filter((each) => typeof each === 'string') : [] };
}
