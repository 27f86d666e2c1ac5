import type { Json } from '../../../wire/json.ts';
import { skipSpace } from '../../core/skip-space.ts';

/** A word, a quoted text, or one character of punctuation. */
const tokenPattern = /[A-Za-z_][\w-]*|"(?:[^"\\\n]|\\.)*"|[{}=,]/y;

/**
 * Reads rules in their own syntax into the JSON that means the same: `kind "name" { policy = "level" }` becomes
 * one block of a list, `kind = "level"` a member.
 *
 * @throws Error that names the line
 */
export function parseRulesText(text: string): { [name: string]: Json } {
  const tokens = tokenize(text);
  const blocks = new Map<string, Json[]>();
  const rules = new Map<string, Json>();
  let position = 0;

  const fail = (message: string): Error => {
    const end = tokens[position - 1]?.end ?? 0;
    return new Error(`line ${text.slice(0, end).split('\n').length}: ${message}`);
  };
  const take = () => tokens[position++]?.text ?? '';
  const quoted = () => {
    const tokenText = take();
    if (!tokenText.startsWith('"')) throw fail(`expected a quoted text, found ${tokenText || 'the end'}`);
    try {
      return JSON.parse(tokenText) as string;
    } catch {
      throw fail(`${tokenText} is not a text`);
    }
  };
  const nameOf = (tokenText: string) => (tokenText.startsWith('"') ? tokenText.slice(1, -1) : tokenText);
  const expect = (expected: string) => {
    const tokenText = take();
    if (tokenText !== expected) throw fail(`expected "${expected}", found ${tokenText || 'the end'}`);
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

  while (position < tokens.length) {
    const kind = take();
    if (!/^["A-Za-z_]/.test(kind)) throw fail(`expected a resource, found ${kind}`);
    if (tokens[position]?.text === '=') {
      position++;
      rules.set(nameOf(kind), quoted());
      continue;
    }
    const name = quoted();
    expect('{');
    const block = Object.fromEntries([[name, body()]]);
    const existing = blocks.get(nameOf(kind));
    if (existing) existing.push(block);
    else blocks.set(nameOf(kind), [block]);
  }
  return Object.fromEntries([...rules, ...blocks]);
}

function tokenize(text: string): { readonly text: string; readonly end: number }[] {
  const tokens: { readonly text: string; readonly end: number }[] = [];
  let position = 0;
  for (;;) {
    position = skipSpace(text, position);
    if (position >= text.length) return tokens;
    tokenPattern.lastIndex = position;
    const tokenText = tokenPattern.exec(text)?.[0];
    if (tokenText === undefined) {
      throw new Error(`line ${text.slice(0, position).split('\n').length}: unexpected character`);
    }
    position = tokenPattern.lastIndex;
    tokens.push({ text: tokenText, end: position });
  }
}
