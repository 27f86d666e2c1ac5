import { code, type Document, dim, fields, raw, table, text, type Words } from '../../output/document.ts';
import { formatJson } from '../../wire/json.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const filled = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && Object.keys(value).length > 0;

/** What a person means by a response: its data, a token, what it was wrapped in, or all of what is no envelope. */
export function meant(body: unknown): unknown {
  if (!isObject(body)) return body;
  const part = [body.data, body.auth, body.wrap_info].find(filled);
  if (part !== undefined || isObject(body.data)) return part ?? body.data;
  return Object.hasOwn(body, 'request_id') && Object.hasOwn(body, 'data') ? body.data : body;
}

/** An answer of any shape: members with their values, else the body as it is. */
export function answerView(body: unknown): Document {
  const shown = meant(body);
  if (isObject(shown))
    return [fields(Object.entries(shown).map(([name, value]) => [name, valueWords(value)]))];
  const whole = typeof shown === 'string' ? shown : formatJson(shown, 2);
  return [raw(whole.endsWith('\n') ? whole : `${whole}\n`)];
}

function valueWords(value: unknown): Words {
  if (value === null || value === undefined || value === '') return [dim('-')];
  return typeof value === 'string' ? value : formatJson(value);
}

/** What a write gave back, or that it is done. */
export const doneView = (body: unknown, what: string, path: string): Document =>
  filled(meant(body)) ? answerView(body) : [text(`${what} `, code(path), '.')];

export const namesView = (names: readonly string[]): Document => [
  table(
    ['NAME'],
    names.map((name) => [name]),
    'Nothing is there.',
  ),
];
