/** A token of the configuration language that legacy rules are written in. */
export interface Token {
  readonly kind: 'word' | 'text' | 'comment' | 'punctuation' | 'end';
  /** As it is written. */
  readonly text: string;
  /** The lines, from 1, on which it begins and ends. */
  readonly line: number;
  readonly lastLine: number;
}

/** Rules that cannot be read; the message names the line. */
export class RulesError extends Error {
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
  }
}

/** Space, then a comment, a text (of several lines, too: up to the word that it begins with), a word, or another sign. */
const next =
  /\s*(?:(#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|("(?:[^"\\\n]|\\.)*"|<<-?([A-Za-z_]\w*)[^\S\n]*\n(?:[\s\S]*?\n)?[^\S\n]*\3(?=\n|$))|([A-Za-z_][\w.-]*|-?\d[\w.+-]*)|([{}[\]=,])|$)/y;

/** Takes a text apart; the last token is the end. @throws RulesError */
export function tokensOf(source: string): Token[] {
  const text = source.replaceAll('\r\n', '\n');
  const lineAt = lineCounter(text);
  const tokens: Token[] = [];
  next.lastIndex = 0;
  for (;;) {
    const at = next.lastIndex;
    const [all, comment, quoted, , word, sign] = next.exec(text) ?? [];
    if (all === undefined)
      throw new RulesError(lineAt(text.slice(at).search(/\S/) + at), 'unexpected character');
    const found = comment ?? quoted ?? word ?? sign;
    const line = lineAt(at + all.length - (found?.length ?? 0));
    if (found === undefined) return [...tokens, { kind: 'end', text: 'the end', line, lastLine: line }];
    const kind =
      comment !== undefined
        ? 'comment'
        : quoted !== undefined
          ? 'text'
          : word !== undefined
            ? 'word'
            : 'punctuation';
    tokens.push({ kind, text: found.trimEnd(), line, lastLine: lineAt(at + all.length) });
  }
}

/** Counts lines, from 1, at places that come one after the other. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let end = text.indexOf('\n');
  return (at) => {
    while (end >= 0 && end < at) {
      line++;
      end = text.indexOf('\n', end + 1);
    }
    return line;
  };
}
