import { skipSpace } from '../../skip-space.ts';

/** A block: what it assigns, and the blocks in it. */
export interface Block {
  readonly kind: string;
  readonly label: string | undefined;
  readonly values: ReadonlyMap<string, string | readonly string[]>;
  readonly blocks: readonly Block[];
}

/** A word, a quoted text, or one character of punctuation. */
const token = /[A-Za-z_][\w-]*|"(?:[^"\\\n]|\\.)*"|[{}[\]=,]/y;
const deepest = 8;

/**
 * Reads rules in their own syntax: blocks (`kind "label" { ... }`), and in them texts and lists of texts
 * (`name = "text"`, `name = ["a", "b"]`).
 *
 * @throws Error that names the line
 */
export function parseBlocks(text: string): Block[] {
  const tokens = tokensOf(text);
  let at = 0;

  const fail = (wanted: string): Error => {
    const found = tokens[at];
    const line = text.slice(0, found?.start ?? text.length).split('\n').length;
    return new Error(`line ${line}: expected ${wanted}, found ${found?.text ?? 'the end'}`);
  };
  const accept = (wanted: string): boolean => {
    if (tokens[at]?.text !== wanted) return false;
    at++;
    return true;
  };
  const expect = (wanted: string) => {
    if (!accept(wanted)) throw fail(`"${wanted}"`);
  };
  const quoted = (): string => {
    const found = tokens[at]?.text ?? '';
    if (!found.startsWith('"')) throw fail('a quoted text');
    try {
      const read = JSON.parse(found) as string;
      at++;
      return read;
    } catch {
      throw fail('a text with known escapes');
    }
  };
  const list = (): string[] => {
    const items: string[] = [];
    while (!accept(']')) {
      items.push(quoted());
      if (tokens[at]?.text !== ']') expect(',');
    }
    return items;
  };
  const name = (): string => {
    const found = tokens[at]?.text ?? '';
    if (!/^[A-Za-z_]/.test(found)) throw fail('a name');
    at++;
    return found;
  };
  const block = (kind: string, depth: number): Block => {
    const label = tokens[at]?.text.startsWith('"') ? quoted() : undefined;
    expect('{');
    if (depth === deepest) throw fail(`at most ${deepest} blocks in each other`);
    const values = new Map<string, string | readonly string[]>();
    const blocks: Block[] = [];
    while (!accept('}')) {
      const member = name();
      if (accept('=')) values.set(member, accept('[') ? list() : quoted());
      else blocks.push(block(member, depth + 1));
    }
    return { kind, label, values, blocks };
  };

  const found: Block[] = [];
  while (at < tokens.length) found.push(block(name(), 0));
  return found;
}

function tokensOf(text: string): { readonly text: string; readonly start: number }[] {
  const tokens: { readonly text: string; readonly start: number }[] = [];
  for (let at = 0; ; ) {
    const start = skipSpace(text, at);
    if (start >= text.length) return tokens;
    token.lastIndex = start;
    const found = token.exec(text)?.[0];
    if (found === undefined) {
      throw new Error(`line ${text.slice(0, start).split('\n').length}: unexpected character`);
    }
    at = token.lastIndex;
    tokens.push({ text: found, start });
  }
}
