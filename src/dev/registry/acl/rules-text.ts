import type { Json } from '../../../wire/json.ts';
import { skipSpace } from '../../skip-space.ts';

/** A word, a quoted text, or one character of punctuation. */
const token = /[A-Za-z_][\w-]*|"(?:[^"\\\n]|\\.)*"|[{}=,]/y;

/**
 * Reads rules in their own syntax into the JSON that means the same: `kind "name" { policy = "level" }` becomes
 * one block of a list, `kind = "level"` a member.
 *
 * @throws Error that names the line
 */
export function parseRulesText(text: string): { [name: string]: Json } {
  const tokens = tokensOf(text);
  const blocks = new Map<string, Json[]>();
  const rules = new Map<string, Json>();
  let at = 0;

  const fail = (message: string): Error => {
    const end = tokens[at - 1]?.end ?? 0;
    return new Error(`line ${text.slice(0, end).split('\n').length}: ${message}`);
  };
  const take = () => tokens[at++]?.text ?? '';
  const quoted = () => {
    const found = take();
    if (!found.startsWith('"')) throw fail(`expected a quoted text, found ${found || 'the end'}`);
    try {
      return JSON.parse(found) as string;
    } catch {
      throw fail(`${found} is not a text`);
    }
  };
  const nameOf = (found: string) => (found.startsWith('"') ? found.slice(1, -1) : found);
  const expect = (wanted: string) => {
    const found = take();
    if (found !== wanted) throw fail(`expected "${wanted}", found ${found || 'the end'}`);
  };
  const body = () => {
    const members = new Map<string, Json>();
    for (let name = take(); name !== '}'; name = take()) {
      if (!/^["A-Za-z_]/.test(name)) throw fail(`expected a name, found ${name || 'the end'}`);
      expect('=');
      members.set(nameOf(name), quoted());
    }
    return Object.fromEntries(members);
  };

  while (at < tokens.length) {
    const kind = take();
    if (!/^["A-Za-z_]/.test(kind)) throw fail(`expected a resource, found ${kind}`);
    if (tokens[at]?.text === '=') {
      at++;
      rules.set(nameOf(kind), quoted());
      continue;
    }
    const name = quoted();
    expect('{');
    const block = Object.fromEntries([[name, body()]]);
    const before = blocks.get(nameOf(kind));
    if (before) before.push(block);
    else blocks.set(nameOf(kind), [block]);
  }
  return Object.fromEntries([...rules, ...blocks]);
}

function tokensOf(text: string): { readonly text: string; readonly end: number }[] {
  const tokens: { readonly text: string; readonly end: number }[] = [];
  let at = 0;
  for (;;) {
    at = skipSpace(text, at);
    if (at >= text.length) return tokens;
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) {
      throw new Error(`line ${text.slice(0, at).split('\n').length}: unexpected character`);
    }
    at = token.lastIndex;
    tokens.push({ text: found, end: at });
  }
}
