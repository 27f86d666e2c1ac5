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
const tokenPattern =
  /\s*(?:(#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|("(?:[^"\\\n]|\\.)*"|<<-?([A-Za-z_]\w*)[^\S\n]*\n(?:[\s\S]*?\n)?[^\S\n]*\3(?=\n|$))|([A-Za-z_][\w.-]*|-?\d[\w.+-]*)|([{}[\]=,])|$)/y;

/** Takes a text apart; the last token is the end. @throws RulesError */
export function tokenize(source: string): Token[] {
  const text = source.replaceAll('\r\n', '\n');
  const lineAt = lineCounter(text);
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  for (;;) {
    const offset = tokenPattern.lastIndex;
    const [all, comment, quoted, , word, sign] = tokenPattern.exec(text) ?? [];
    if (all === undefined)
      throw new RulesError(lineAt(text.slice(offset).search(/\S/) + offset), 'unexpected character');
    const matched = comment ?? quoted ?? word ?? sign;
    const line = lineAt(offset + all.length - (matched?.length ?? 0));
    if (matched === undefined) return [...tokens, { kind: 'end', text: 'the end', line, lastLine: line }];
    const kind =
      comment !== undefined
        ? 'comment'
        : quoted !== undefined
          ? 'text'
          : word !== undefined
            ? 'word'
            : 'punctuation';
    tokens.push({ kind, text: matched.trimEnd(), line, lastLine: lineAt(offset + all.length) });
  }
}

/** Counts lines, from 1, at places that come one after the other. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let end = text.indexOf('\n');
  return (offset) => {
    while (end >= 0 && end < offset) {
      line++;
      end = text.indexOf('\n', end + 1);
    }
    return line;
  };
}
