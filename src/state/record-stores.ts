import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { insteadOf, isForbidden, LanyardError, usage } from '../errors.ts';
import { formatJson } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import type { JsonObject, Services } from './kind.ts';
import type { RecordStore, SetRecord } from './record.ts';
import { parseRecordText, readRecord, recordData } from './record-format.ts';
import { type RecordFiles, recordChanged, recordValues, type ValueStore } from './record-values.ts';
import { partsDirectory, type RecordPlace } from './set.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** What a record may have decompressed, in bytes: far more than a set of 100,000 objects. */
const maxBytes = 256 * 1024 * 1024;
/** A longer record is compressed even where it would fit: it is written several times in one apply. */
const maxPlainBytes = 65_536;

/** Where the members of a record are that does not fit into one value. */
interface Parts {
  readonly id: string;
  readonly count: number;
  /** Of all parts together. */
  readonly sha256: string;
}

const partName = ({ id }: Pick<Parts, 'id'>, index: number): string => `${partsDirectory}${id}/${index}`;

/**
 * The store of a record, by its place. A record that is too long for one value is compressed and split. Its parts get
 * new names with each write, and are complete before the record refers to them, so that there is a complete record at
 * any time; the earlier parts are deleted afterwards, also where the record fits into one value again.
 *
 * @param newId makes a name that no other apply uses.
 */
export function recordStore(
  place: RecordPlace,
  services: Services,
  { files, newId }: { readonly files: RecordFiles; readonly newId: () => string },
): RecordStore {
  const values = named(recordValues(place, services, files));
  const { maxBytes: maxValue = Number.POSITIVE_INFINITY } = values;
  /** The parts that this apply wrote last. */
  let own: { readonly body: string; readonly parts: Parts } | undefined;
  /** Whether parts may exist. */
  let isSplit = false;

  const writeParts = async (body: string): Promise<Parts> => {
    const id = newId();
    const count = Math.ceil(body.length / maxValue);
    for (let index = 0; index < count; index += 1)
      await values.write(
        partName({ id }, index),
        body.slice(index * maxValue, (index + 1) * maxValue),
        undefined,
      );
    return { id, count, sha256: hashOf(body) };
  };

  const earlierParts = (): Promise<readonly string[]> =>
    values.list(partsDirectory).catch(insteadOf(isForbidden, []));

  /** Deletes parts. @returns whether all of them were; the others are deleted by the next apply */
  const removed = async (names: readonly string[]): Promise<boolean> => {
    let isDone = true;
    for (const name of names)
      try {
        await values.remove(name);
      } catch (error) {
        if (!(error instanceof LanyardError)) throw error;
        isDone = false;
      }
    return isDone;
  };

  return {
    async read() {
      for (let attempt = 1; ; attempt += 1) {
        const head = await values.read('');
        if (!head) return undefined;
        const { version } = head;
        const { parts, oldParts, ...data } = parseRecordText(head.text, values.place);
        isSplit = parts !== undefined || oldParts === true;
        if (parts === undefined) return { record: readRecord(data, values.place), version };
        const body = await readParts(partsOf(parts, values.place), values);
        // Another apply may have replaced the record meanwhile.
        if (body === undefined && attempt < 3) continue;
        if (body === undefined)
          throw usage(`the record of the set in ${values.place} is incomplete: a part is missing`, {
            hint: 'Delete it and run `lanyard apply --adopt` to write it again.',
          });
        const members = parseRecordText(await textOf(body, values.place), values.place);
        return { record: readRecord({ ...data, ...members }, values.place), version };
      }
    },
    async write(record: SetRecord, version: string | undefined) {
      const data = recordData(record);
      const text = `${formatJson(data, 2)}\n`;
      const isPlain = maxValue === Number.POSITIVE_INFINITY || fits(text, Math.min(maxValue, maxPlainBytes));
      if (isPlain && !isSplit) return values.write('', text, version);
      if (isPlain) {
        // The next apply deletes the parts if this one is interrupted before.
        const short = await values.write('', `${formatJson({ ...data, oldParts: true }, 2)}\n`, version);
        own = undefined;
        isSplit = !(await removed(await earlierParts()));
        return short;
      }
      const { members = [], origins = [], stated = [], ...head } = data;
      const body = (await compress(formatJson({ members, origins, stated }))).toString('base64');
      if (own?.body === body) return values.write('', headText(head, own.parts), version);
      // Parts that exist now belong to a record that this write replaces, or that lost the race.
      const earlier = await earlierParts();
      const parts = await writeParts(body);
      const written = await values.write('', headText(head, parts), version);
      own = { body, parts };
      isSplit = true;
      await removed(earlier);
      return written;
    },
  };
}

const fits = (text: string, bytes: number): boolean => Buffer.byteLength(text) <= bytes;

const headText = (head: JsonObject, { id, count, sha256 }: Parts): string =>
  `${formatJson({ ...head, parts: { id, count, sha256 } }, 2)}\n`;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function partsOf(value: unknown, place: string): Parts {
  const { id, count, sha256 } = (isObject(value) ? value : {}) as Partial<Parts>;
  const isValid = typeof id === 'string' && /^[a-z0-9]+$/.test(id) && typeof sha256 === 'string';
  if (!isValid || typeof count !== 'number' || !(count > 0 && count <= 10_000))
    throw usage(`invalid record of the set in ${place}: /parts: expected "id", "count" and "sha256"`);
  return { id, count, sha256 };
}

/** The parts together; undefined: one is missing, or they belong to another record. */
async function readParts(parts: Parts, values: ValueStore): Promise<string | undefined> {
  let body = '';
  for (let index = 0; index < parts.count; index += 1) {
    const part = await values.read(partName(parts, index));
    if (!part) return undefined;
    body += part.text;
  }
  return hashOf(body) === parts.sha256 ? body : undefined;
}

async function textOf(body: string, place: string): Promise<string> {
  try {
    return (await decompress(Buffer.from(body, 'base64'), { maxOutputLength: maxBytes })).toString();
  } catch {
    throw usage(`invalid record of the set in ${place}: it cannot be decompressed`);
  }
}

/** The same values; errors name the record. */
function named(values: ValueStore): ValueStore {
  const described = async <Value>(verb: string, work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      const isNamed = !(error instanceof LanyardError) || error.message.includes(values.place);
      if (isNamed || error.kind === 'interrupted') throw error;
      if (error.kind === 'conflict') throw recordChanged(values.place);
      throw new LanyardError(
        error.kind,
        `cannot ${verb} the record of the set, ${values.place}: ${error.message}`,
        { ...error, cause: error },
      );
    }
  };
  return {
    ...values,
    read: (name) => described('read', values.read(name)),
    write: (name, text, version) => described('write', values.write(name, text, version)),
  };
}
