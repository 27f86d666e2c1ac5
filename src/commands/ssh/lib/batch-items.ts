import type { Context } from '../../../command/context.ts';
import { usage } from '../../../errors.ts';
import { parseJson } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import type { SshSignBody } from '../../../wire/secrets.ts';
import { rejectInvisible } from './certificate-request.ts';

/** One key of a batch: a file, or a line of JSON that is parsed when it is processed. */
export type Item = { readonly name: string } & ({ readonly file: string } | { readonly line: string });

type Groups = AsyncIterator<readonly Item[]> | Iterator<readonly Item[]>;

/** Returns a function that takes the next item of all groups; undefined: there are no more. Many may wait for one. */
export function itemQueue(groups: Groups): () => Promise<Item | undefined> {
  let group: readonly Item[] | undefined = [];
  let next = 0;
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    const { value, done } = await groups.next();
    group = done === true ? undefined : value;
    next = 0;
    reading = undefined;
  };
  return async () => {
    while (group !== undefined && next === group.length) {
      reading ??= read();
      await reading;
    }
    return group?.[next++];
  };
}

/** Whether a path is a file of JSON lines, or standard input. */
export const isLineFile = (path: string): boolean => path === '-' || /\.(jsonl|ndjson)$/i.test(path);

/** The keys in files, directories and files of JSON lines, in groups of those that were read together. */
export async function* batchItems(
  paths: readonly string[],
  { files, input }: Context,
): AsyncGenerator<readonly Item[]> {
  for (const path of paths) {
    if (isLineFile(path)) yield* lineItems(path, await input.readLines(path));
    else {
      const names = await files.listDirectory(path);
      yield names === undefined ? [{ name: path, file: path }] : keyFiles(path, names);
    }
  }
}

const keyFiles = (path: string, names: readonly string[]): readonly Item[] =>
  names
    .filter((name) => name.endsWith('.pub') && !name.endsWith('-cert.pub'))
    .map((name) => `${path.replace(/\/+$/, '')}/${name}`)
    .map((file) => ({ name: file, file }));

async function* lineItems(
  path: string,
  groups: AsyncIterable<readonly string[]>,
): AsyncGenerator<readonly Item[]> {
  let number = 0;
  for await (const lines of groups) {
    const items: Item[] = [];
    for (const line of lines) {
      number += 1;
      if (line.trim() !== '')
        items.push({ name: `${path === '-' ? 'standard input' : path}:${number}`, line });
    }
    yield items;
  }
}

const textFields = ['public_key', 'key', 'out', 'ttl', 'key_id', 'cert_type'];
const mapFields = ['extensions', 'critical_options'];

interface Line extends Omit<SshSignBody, 'public_key'> {
  readonly public_key?: string;
  readonly key?: string;
  readonly out?: string;
}

/** Parses one line of JSON. @throws LanyardError usage: it is not an object, or a field or name is invalid. */
export function readLine({ name, line }: { readonly name: string; readonly line: string }): Line {
  const value = parseLine(line, name);
  if (!isObject(value)) throw usage(`${name}: expected a JSON object`);
  const members = Object.entries(value).map(([member, own]): [string, unknown] => {
    if (member === 'principals' || member === 'valid_principals')
      return ['valid_principals', Array.isArray(own) ? own.join(',') : requireText(own, member, name)];
    if (textFields.includes(member)) return [member, requireText(own, member, name)];
    if (mapFields.includes(member) && isObject(own)) return [member, own];
    throw usage(`${name}: unknown or invalid field ${JSON.stringify(member)}`);
  });
  return rejectInvisible(Object.fromEntries(members) as Line, `${name}: `);
}

function parseLine(line: string, name: string): unknown {
  try {
    return parseJson(line);
  } catch {
    throw usage(`${name}: invalid JSON`);
  }
}

function requireText(value: unknown, member: string, name: string): string {
  if (typeof value !== 'string') throw usage(`${name}: ${member} must be a string`);
  return value;
}
