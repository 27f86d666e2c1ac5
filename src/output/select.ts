import type { JSONValue } from '@jmespath-community/jmespath';
import { type LanyardError, usage } from '../errors.ts';
import { parseJson } from '../wire/json.ts';
import { replaceBigints } from './bigint-placeholders.ts';
import { renderJson } from './json.ts';

type Library = typeof import('@jmespath-community/jmespath');

/** A compiled expression. */
export type ExpressionTree = ReturnType<Library['compile']>;

const loadLibrary = (): Promise<Library> => import('@jmespath-community/jmespath');

/**
 * Checks the syntax of a JMESPath expression, and the names of its functions.
 *
 * @param flag of the expression, for messages.
 * @throws a usage error that names the position.
 */
export async function checkSelection(expression: string, flag = '--select'): Promise<ExpressionTree> {
  const library = await loadLibrary();
  const tree = compile(library, expression, flag);
  const known = library.getRegisteredFunctions();
  const tokens = library.tokenize(expression);
  for (const [index, { type, value, start }] of tokens.entries()) {
    const called = type === 'UnquotedIdentifier' && tokens[index + 1]?.type === 'Lparen';
    if (called && !known.includes(String(value))) {
      throw invalidExpression(expression, flag, `unknown function ${value}()`, start);
    }
  }
  return tree;
}

/**
 * Evaluates a JMESPath expression. Integers beyond 2^53, in the value or in the expression, are selected, compared,
 * sorted and converted to strings exactly; arithmetic uses doubles, as in JMESPath.
 *
 * @throws a usage error for an invalid expression, or one that does not suit the value.
 */
export async function select(data: unknown, expression: string, flag = '--select'): Promise<unknown> {
  await checkSelection(expression, flag);
  const library = await loadLibrary();
  const parts = literals(library, expression);
  const { values, restore } = replaceBigints([data ?? null, ...parts.map(({ value }) => value)]);
  const [subject, ...numbers] = values;
  // The library's own function would write the placeholder of an integer.
  library.registerFunction(
    'to_string',
    ([argument]) => (typeof argument === 'string' ? argument : renderJson(restore(argument), false)),
    [{ types: [library.TYPE_ANY] }],
    { override: true },
  );
  let found: unknown;
  try {
    const tree = library.compile(withLiterals(expression, parts, numbers));
    found = library.TreeInterpreter.search(tree, subject as JSONValue);
  } catch (error) {
    throw invalidExpression(expression, flag, errorText(error));
  }
  return restore(found);
}

/** The JSON literals of an expression (between backticks), with exact integers. */
function literals(library: Library, expression: string) {
  const tokens = library.tokenize(expression);
  return tokens.flatMap(({ start }, index) => {
    if (expression[start] !== '`') return [];
    const source = expression.slice(start, tokens[index + 1]?.start).trimEnd();
    const value = parseJson(source.slice(1, -1).replaceAll('\\`', '`'));
    return [{ start, end: start + source.length, value }];
  });
}

function withLiterals(
  expression: string,
  parts: ReturnType<typeof literals>,
  values: readonly unknown[],
): string {
  let written = '';
  let at = 0;
  for (const [index, { start, end }] of parts.entries()) {
    const literal = JSON.stringify(values[index]).replaceAll('`', '\\u0060');
    written += `${expression.slice(at, start)}\`${literal}\``;
    at = end;
  }
  return written + expression.slice(at);
}

function compile(library: Library, expression: string, flag: string): ExpressionTree {
  try {
    return library.compile(expression);
  } catch (error) {
    const at = errorPosition(library, expression);
    throw invalidExpression(expression, flag, isUnfinished(error) ? 'unexpected end' : errorText(error), at);
  }
}

/**
 * The position of the syntax error, which the library does not report. The end of the expression if it is only
 * incomplete.
 */
function errorPosition(library: Library, expression: string): number {
  let end = expression.length;
  while (end > 0 && errorOf(() => library.tokenize(expression.slice(0, end)))) end -= 1;
  if (end < expression.length) return end;
  const tokens = library.tokenize(expression);
  const wrong = tokens.find((_token, index) => {
    const error = errorOf(() => library.compile(expression.slice(0, tokens[index + 1]?.start)));
    return error !== undefined && !isUnfinished(error);
  });
  return wrong?.start ?? expression.length;
}

/** Whether the expression is only incomplete: the parser reached its end, or read beyond it. */
function isUnfinished(error: unknown): boolean {
  return error instanceof TypeError || errorText(error).includes('EOF');
}

/** What a function throws; undefined: nothing. */
function errorOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

function errorText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/^syntax(?: error)?[:,] /i, '');
}

function invalidExpression(expression: string, flag: string, problem: string, at?: number): LanyardError {
  const place = at === undefined ? '' : at < expression.length ? ` at character ${at + 1}` : ' at its end';
  return usage(`invalid ${flag} "${expression}"${place}: ${problem}`, {
    hint: 'Use a JMESPath expression, for example "keys[?starts_with(@, \'web\')]".',
  });
}
