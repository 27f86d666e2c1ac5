import { HclError } from '../wire/hcl.ts';
import { jsonProblem } from '../wire/json-error.ts';
import type { Context } from './context.ts';

/** Maximum size of a policy in bytes. */
const maxBytes = 4 * 1024 * 1024;

/**
 * The text of a policy: `@FILE`, `-` for standard input, or the text itself.
 *
 * @param title the name of a given text, for messages
 * @param what the content of a file, for messages: "the rules"
 * @throws LanyardError usage: unreadable
 */
export async function readPolicyText(
  given: string,
  title: string,
  what: string,
  { files, input }: Pick<Context, 'files' | 'input'>,
): Promise<{ readonly name: string; readonly text: string }> {
  const decoder = new TextDecoder();
  if (given === '-') return { name: 'standard input', text: decoder.decode(await input.readStdin()) };
  if (!given.startsWith('@')) return { name: title, text: given };
  const file = given.slice(1);
  return { name: file, text: decoder.decode(await files.readBytes(file, what, maxBytes)) };
}

/** Something wrong in a policy, and where; JSON has no positions. */
export interface Problem {
  readonly what: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** The syntax error of a policy in HCL or JSON, which its parser threw. */
export function syntaxProblem(error: unknown, text: string): Problem {
  if (error instanceof HclError) {
    const { line, column, message } = error;
    return { what: message.replace(/^line \d+: /, ''), line, column };
  }
  if (!(error instanceof SyntaxError)) throw error;
  return jsonProblem(error, text);
}

/** `rules.hcl, line 3, column 5: unknown resource "kez"`. */
export const problemText = (name: string, { what, line, column }: Problem): string =>
  line === undefined ? `${name}: ${what}` : `${name}, line ${line}, column ${column}: ${what}`;
