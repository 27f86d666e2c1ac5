import { skipSpace } from '../../core/skip-space.ts';

/** A block: what it assigns, and the blocks in it. */
export interface Block {
  readonly kind: string;
  readonly label: string | undefined;
  readonly values: ReadonlyMap<string, string | readonly string[]>;
  readonly blocks: readonly Block[];
}

/** A word, a quoted text, or one character of punctuation. */
const tokenPattern = /[A-Za-z_][\w-]*|"(?:[^"\\\n]|\\.)*"|[{}[\]=,]/y;
const maxDepth = 8;

/**
 * Reads rules in their own syntax: blocks (`kind "label" { ... }`), and in them texts and lists of texts
 * (`name = "text"`, `name = ["a", "b"]`).
 *
 * @throws Error that names the line
 */
export function parseBlocks(text: string): Block[] {
  const tokens = tokenize(text);
  let position = 0;

  const fail = (expected: string): Error => {
    const result = tokens[position];
    const line = text.slice(0, result?.start ?? text.length).split('\n').length;
    return new Error(`line ${line}: expected ${expected}, found ${result?.text ?? 'the end'}`);
  };
  const accept = (expected: string): boolean => {
    if (tokens[position]?.text !== expected) return false;
    position++;
    return true;
  };
  const expect = (expected: string) => {
    if (!accept(expected)) throw fail(`"${expected}"`);
  };
  const quoted = (): string => {
    const result = tokens[position]?.text ?? '';
    if (!result.startsWith('"')) throw fail('a quoted text');
    try {
      const parsed = JSON.parse(result) as string;
      position++;
      return parsed;
    } catch {
      throw fail('a text with known escapes');
    }
  };
  const list = (): string[] => {
    const items: string[] = [];
    while (!accept(']')) {
      items.push(quoted());
      if (tokens[position]?.text !== ']') expect(',');
    }
    return items;
  };
  const name = (): string => {
    const result = tokens[position]?.text ?? '';
    if (!/^[A-Za-z_]/.test(result)) throw fail('a name');
    position++;
    return result;
  };
  const block = (kind: string, depth: number): Block => {
    const label = tokens[position]?.text.startsWith('"') ? quoted() : undefined;
    expect('{');
    if (depth === maxDepth) throw fail(`at most ${maxDepth} blocks in each other`);
    const values = new Map<string, string | readonly string[]>();
    const blocks: Block[] = [];
    while (!accept('}')) {
      const fieldName = name();
      if (accept('=')) values.set(fieldName, accept('[') ? list() : quoted());
      else blocks.push(block(fieldName, depth + 1));
    }
    return { kind, label, values, blocks };
  };

  const result: Block[] = [];
  while (position < tokens.length) result.push(block(name(), 0));
  return result;
}

function tokenize(text: string): { readonly text: string; readonly start: number }[] {
  const tokens: { readonly text: string; readonly start: number }[] = [];
  for (let position = 0; ; ) {
    const start = skipSpace(text, position);
    if (start >= text.length) return tokens;
    tokenPattern.lastIndex = start;
    const result = tokenPattern.exec(text)?.[0];
    if (result === undefined) {
      throw new Error(`line ${text.slice(0, start).split('\n').length}: unexpected character`);
    }
    position = tokenPattern.lastIndex;
    tokens.push({ text: result, start });
  }
}
