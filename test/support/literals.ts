/** A text in the source: a string or template literal, or several that `+` joins. */
export interface Literal {
  /** A template's `${...}` are `{}`. */
  readonly text: string;
  /** Where it begins in the source. */
  readonly start: number;
  readonly end: number;
}

/** The literals of TypeScript source, outside comments and regular expressions, in order. */
export function literalsIn(source: string): Literal[] {
  const found: Literal[] = [];
  let at = 0;

  const quoted = (quote: string): string => {
    const from = at + 1;
    for (at += 1; source[at] !== quote; at += 1) if (source[at] === '\\') at += 1;
    return source.slice(from, at++);
  };

  const template = (): string => {
    let text = '';
    for (at += 1; source[at] !== '`'; ) {
      if (source.startsWith('${', at)) {
        at += 2;
        code();
        text += '{}';
      } else {
        if (source[at] === '\\') text += source[at++];
        text += source[at++];
      }
    }
    at += 1;
    return text;
  };

  /** To the end of the source, or of the braces that it is in. */
  const code = (): void => {
    for (let depth = 0; at < source.length; ) {
      const character = source[at] ?? '';
      const start = at;
      if (character === "'" || character === '"' || character === '`') {
        const text = character === '`' ? template() : quoted(character);
        found.push({ text: text.replaceAll(/\\(['"`])/g, '$1'), start, end: at });
        continue;
      }
      const skipped = comment.exec(source.slice(at))?.[0] ?? regex(source, at);
      if (skipped !== undefined) {
        at += skipped.length;
        continue;
      }
      at += 1;
      if (character === '{') depth += 1;
      if (character === '}' && depth-- === 0) return;
    }
  };

  code();
  return joined(found, source);
}

const comment = /^(\/\/[^\n]*|\/\*[\s\S]*?\*\/)/;
const pattern = /^\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/;

/** A regular expression that begins here: a slash where a value is expected. */
const regex = (source: string, at: number): string | undefined =>
  source[at] === '/' && /(?:[(,=:[!&|?{};+]|=>|\breturn)\s*$/.test(source.slice(Math.max(at - 40, 0), at))
    ? pattern.exec(source.slice(at))?.[0]
    : undefined;

function joined(literals: readonly Literal[], source: string): Literal[] {
  const result: Literal[] = [];
  for (const literal of [...literals].sort((one, other) => one.start - other.start)) {
    const before = result.at(-1);
    if (before && before.end <= literal.start && /^\s*\+\s*$/.test(source.slice(before.end, literal.start)))
      result[result.length - 1] = { ...literal, text: before.text + literal.text, start: before.start };
    else result.push(literal);
  }
  return result;
}
