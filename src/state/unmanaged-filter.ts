import { usage } from '../errors.ts';
import { type Identity, type Kind, labelOf } from './kind.ts';
import { findKind, suggestKinds } from './kinds.ts';

/** What selects objects that are not reported: `KIND`, or `KIND NAME`, where the name may have `*` and `**`. */
export interface IgnorePattern {
  readonly kind: string;
  /** Undefined: all objects of the kind. */
  readonly name: RegExp | undefined;
}

/**
 * Reads a pattern.
 *
 * @returns a text: what is wrong with it.
 */
export function parseIgnorePattern(text: string): IgnorePattern | string {
  const [, name = '', rest] = /^\s*(\S+)(?:\s+(\S.*?))?\s*$/s.exec(text) ?? [];
  if (name === '') return 'expected KIND or "KIND NAME"';
  if (!findKind(name)) {
    const meant = suggestKinds(name).map((each) => `"${each}"`);
    return `unknown kind "${name}"${meant.length === 0 ? '' : `, did you mean ${meant.join(' or ')}?`}`;
  }
  return { kind: name, name: rest === undefined ? undefined : globPattern(rest) };
}

/** The patterns of `--ignore` flags, or of a set that was checked. @throws LanyardError usage: an invalid one. */
export const ignorePatterns = (texts: readonly string[]): readonly IgnorePattern[] =>
  texts.map((text) => {
    const pattern = parseIgnorePattern(text);
    if (typeof pattern === 'string') throw usage(`invalid --ignore "${text}": ${pattern}`);
    return pattern;
  });

/** `*` is any text without `/`, `**` any text. Every other character is itself. */
function globPattern(glob: string): RegExp {
  const parts = glob.split(/(\*+)/).map((part) => {
    if (part === '*') return '[^/]*';
    return part.startsWith('**') ? '.*' : part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 's');
}

/** Whether a pattern selects an object, by the name that `plan` shows, or by the name with its complete scope. */
export function isIgnored(patterns: readonly IgnorePattern[], kind: Kind, identity: Identity): boolean {
  const names = namesOf(kind, identity);
  return patterns.some(
    (pattern) =>
      pattern.kind === kind.name &&
      (pattern.name === undefined || names.some((each) => pattern.name?.test(each))),
  );
}

/** `app/db` and `default:app/db`: names leave out the usual scope, which a pattern may state. */
function namesOf(kind: Kind, identity: Identity): readonly string[] {
  const scopes = Object.values(identity.scope);
  return [
    labelOf(kind, identity),
    [...scopes, identity.key].join('/'),
    ...(scopes.length === 1 ? [`${scopes[0]}:${identity.key}`] : []),
  ];
}
