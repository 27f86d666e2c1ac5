/** The settings of sshd for one login (sshd_config(5)). */
export interface ServerSettings {
  /** `sshd -T`: as sshd itself reports them. `file`: as written; the blocks of `Match` were left out. */
  readonly source: 'sshd -T' | 'file';
  /** The values of a setting, by its name in lower case; empty: the default applies. */
  values(name: string): readonly string[];
  /** The settings of `Match` blocks, in lower case, which may apply instead; empty for `sshd -T`. */
  readonly conditional: ReadonlySet<string>;
}

/** The settings that may be given several times. The others have the first value. */
const repeatable = new Set(['allowusers', 'allowgroups', 'denyusers', 'denygroups']);

/** Reads the output of `sshd -T`: lines of a name in lower case and its value, `none` if it is not set. */
export const readEffectiveSettings = (text: string): ServerSettings =>
  settingsOf('sshd -T', linesOf(text), new Set());

/**
 * Reads an sshd_config file.
 *
 * @param included the text of the files of an `Include` line.
 */
export function readSettingsFile(text: string, included: (pattern: string) => string): ServerSettings {
  const expand = (content: string, depth: number): Setting[] =>
    linesOf(content).flatMap((line) =>
      line.name === 'include' && depth < 16
        ? line.value.split(/\s+/).flatMap((pattern) => expand(included(pattern), depth + 1))
        : [line],
    );
  const lines = expand(text, 0);
  const firstMatch = lines.findIndex(({ name }) => name === 'match');
  const end = firstMatch < 0 ? lines.length : firstMatch;
  return settingsOf('file', lines.slice(0, end), new Set(lines.slice(end).map(({ name }) => name)));
}

interface Setting {
  readonly name: string;
  readonly value: string;
}

const linesOf = (text: string): Setting[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^\s*([A-Za-z]\w*)(?:\s*=\s*|\s+)(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    return [{ name: name.toLowerCase(), value: value.replace(/^"(.*)"$/, '$1') }];
  });

function settingsOf(
  source: ServerSettings['source'],
  lines: readonly Setting[],
  conditional: ReadonlySet<string>,
): ServerSettings {
  const values = new Map<string, readonly string[]>();
  for (const { name, value } of lines) {
    const before = values.get(name);
    if (before === undefined) values.set(name, [value]);
    else if (repeatable.has(name)) values.set(name, [...before, value]);
  }
  return {
    source,
    conditional,
    values: (name) => (values.get(name) ?? []).filter((value) => value !== 'none'),
  };
}

/** Whether a list of algorithms (`ssh-ed25519,rsa-*`, also `+`, `-`, `^` before it) accepts one; undefined: it depends on the default. */
export function acceptsAlgorithm(list: string, algorithm: string): boolean | undefined {
  const change = /^[+^-]/.exec(list)?.[0];
  const isListed = (change === undefined ? list : list.slice(1))
    .split(',')
    .some((pattern) => matchesPattern(pattern.trim(), algorithm));
  if (change === undefined) return isListed;
  if (change === '-') return isListed ? false : undefined;
  return isListed ? true : undefined;
}

/** Whether `*` and `?` in a pattern (ssh_config(5), PATTERNS) match a text. */
export function matchesPattern(pattern: string, text: string): boolean {
  const escaped = pattern.replaceAll(/[$()+.[\\\]^{|}]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(text);
}
