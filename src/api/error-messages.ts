import { formatJson } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import type { ServiceName } from '../wire/services.ts';
import type { Body } from './operation.ts';
import { redact, type Secret } from './redaction.ts';

/** The service's own messages in an error body, one a line, without the secrets that it may echo. */
export function messagesOf(
  service: ServiceName,
  body: Body,
  secrets: readonly Secret[] = [],
): readonly string[] {
  const texts = typeof body === 'string' ? [body] : isObject(body) ? readers[service](body) : [];
  // Before the lines are parted: a private key has several.
  return texts.map((text) => redact(text, secrets)).flatMap(lines);
}

type JsonObject = { readonly [name: string]: unknown };

const readers: { readonly [S in ServiceName]: (body: JsonObject) => readonly string[] } = {
  // A 404 may be a complete envelope, with the error among its warnings.
  secrets: ({ errors, warnings }) => elements(errors ?? warnings).map(textOf),
  box: ({ errors }) => elements(errors).map(textOf),
  // Plain text but for a transaction that was rolled back.
  registry: ({ Errors }) =>
    elements(Errors)
      .filter(isObject)
      .map(({ OpIndex, What }) => `operation ${textOf(OpIndex)}: ${textOf(What)}`),
  // Plain text but for the variable that is in the way.
  scheduler: ({ ModifyIndex }) =>
    ModifyIndex === undefined
      ? []
      : ModifyIndex === 0
        ? ['the variable is locked or does not exist']
        : [`the stored variable has ModifyIndex ${textOf(ModifyIndex)}`],
  accounts: ({ message, details }) => [
    ...(message === undefined ? [] : accountMessages(textOf(message))),
    ...elements(isObject(details) ? details.request_fields : null)
      .filter(isObject)
      .map(({ name, description }) => `${textOf(name)}: ${textOf(description)}`),
  ],
};

/**
 * The message of the account service, and the fields that it holds as text. Boundary quotes some errors a second time
 * and cuts them off at the last quote: `Error in provided request.", Details: {{name: "filter", desc: "This field …`.
 */
function accountMessages(message: string): readonly string[] {
  const end = message.indexOf('", Details: {');
  if (end < 0) return [unquoted(message)];
  const fields = [...message.slice(end).matchAll(/\{name: "((?:[^"\\]|\\.)*)", desc: "((?:[^"\\]|\\.)*)/g)];
  return [unquoted(message.slice(0, end)), ...fields.map((field) => field.slice(1).map(unquoted).join(': '))];
}

/** A text that was inside a quoted one. */
const unquoted = (text: string): string =>
  text.replace(/\\([\\"tn])/g, (_all, char: string) => ({ t: '\t', n: '\n' })[char] ?? char);

/** The elements of a list, or a value that is not in a list. */
const elements = (value: unknown): readonly unknown[] => [value ?? []].flat();

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const message = isObject(value) ? (value.message ?? value.detail ?? value.title) : undefined;
  return typeof message === 'string' ? message : formatJson(value ?? null);
}

// A list of errors is decorated as "2 errors occurred:\n\t* one\n\t* two\n\n".
function lines(message: string): readonly string[] {
  return message
    .replace(/^\d+ errors? occurred:/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* /, '').trim())
    .filter((line) => line !== '');
}
