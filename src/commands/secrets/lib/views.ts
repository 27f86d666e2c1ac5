import {
  code,
  type Document,
  dim,
  fields,
  rawLine,
  type StyledText,
  text,
} from '../../../output/document.ts';
import { formatJson } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';

const isNonEmpty = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && Object.keys(value).length > 0;

/** The payload of a response: data, auth or wrap_info, or the response itself if it has no envelope. */
export function payloadOf(body: unknown): unknown {
  if (!isObject(body)) return body;
  const part = [body.data, body.auth, body.wrap_info].find(isNonEmpty);
  if (part !== undefined || isObject(body.data)) return part ?? body.data;
  return Object.hasOwn(body, 'request_id') && Object.hasOwn(body, 'data') ? body.data : body;
}

/** Any response: fields and values, else the unchanged body. */
export function responseView(body: unknown): Document {
  const shown = payloadOf(body);
  if (isObject(shown))
    return [fields(Object.entries(shown).map(([name, value]) => [name, valueText(value)]))];
  return [rawLine(typeof shown === 'string' ? shown : formatJson(shown, 2))];
}

function valueText(value: unknown): StyledText {
  if (value === null || value === undefined || value === '') return [dim('-')];
  return typeof value === 'string' ? value : formatJson(value);
}

/** The response of a write, or a confirmation. */
export const doneView = (body: unknown, what: string, path: string): Document =>
  isNonEmpty(payloadOf(body)) ? responseView(body) : [text(`${what} `, code(path), '.')];
