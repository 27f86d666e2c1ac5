import { usage } from '../errors.ts';
import { tryParseJson } from '../wire/json.ts';
import { getOrCreate } from '../wire/maps.ts';
import { compact, isObject } from '../wire/objects.ts';
import type { JsonObject } from './kind.ts';
import type { Member, SetRecord } from './record.ts';
import { type Origin, originText } from './targets.ts';

/**
 * The stored form of a record: members name their origin and their list of stated fields by number, because most members
 * have the same ones.
 */
export function recordData({ members, ...rest }: SetRecord): JsonObject {
  const origins = numbered<Origin>(originText);
  const lists = numbered<readonly string[]>(JSON.stringify);
  const stored = members.map(({ origin, stated, ...member }) => ({
    ...member,
    ...compact({ origin: origin && origins.numberOf(origin) }),
    stated: lists.numberOf(stated),
  }));
  const data = { ...rest, origins: origins.all, stated: lists.all, members: stored };
  return data as unknown as JsonObject;
}

function numbered<Value>(textOf: (value: Value) => string) {
  const numbers = new Map<string, number>();
  const all: Value[] = [];
  return {
    all,
    numberOf(value: Value): number {
      return getOrCreate(numbers, textOf(value), () => all.push(value) - 1);
    },
  };
}

/** JSON of a record. @throws LanyardError usage: it is not JSON. */
export function parseRecordText(text: string, place: string): JsonObject {
  const value = tryParseJson(text);
  if (value === undefined) throw invalid(place, 'not valid JSON');
  if (!isObject(value)) throw invalid(place, 'expected an object');
  return value;
}

/** Reads a record in the form of this or of an earlier version. @throws LanyardError usage: it is not one. */
export function readRecord(data: JsonObject, place: string): SetRecord {
  check(data, recordFields, '', place);
  const { members, origins = [], stated: lists = [], ...rest } = data as unknown as StoredForm;
  return {
    id: rest.id,
    name: rest.name ?? '',
    generation: rest.generation ?? 0,
    targets: rest.targets ?? {},
    members: members.map((member, index) => {
      const at = `/members/${index}`;
      check(member, memberFields, at, place);
      const { origin, stated, deletion = 'protect', ...others } = member;
      const inTable = <Value>(number: number, table: readonly Value[], name: string): Value => {
        const found = table[number];
        if (found === undefined) throw invalid(place, `${at}/${name}: no such entry`);
        return found;
      };
      return {
        ...pick(others, ['kind', 'scope', 'key', 'uid', 'digest', 'rotation', 'version', 'movedTo']),
        ...compact({ origin: origin === undefined ? undefined : inTable(origin, origins, 'origin') }),
        stated: typeof stated === 'number' ? inTable(stated, lists, 'stated') : stated,
        deletion,
      };
    }),
    ...pick(rest, ['started', 'finished']),
  };
}

/** The stored form of a record. */
interface StoredForm extends Pick<SetRecord, 'id' | 'started' | 'finished'> {
  readonly name?: string;
  readonly generation?: number;
  readonly targets?: SetRecord['targets'];
  readonly origins?: readonly Origin[];
  readonly stated?: readonly (readonly string[])[];
  readonly members: readonly (Omit<Member, 'origin' | 'stated' | 'deletion'> & {
    readonly origin?: number;
    readonly stated: number | readonly string[];
    readonly deletion?: Member['deletion'];
  })[];
}

/** A copy with these fields, without the missing ones. */
const pick = <Value extends object, Name extends keyof Value>(
  value: Value,
  names: readonly Name[],
): Pick<Value, Name> =>
  Object.fromEntries(
    names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])),
  ) as Pick<Value, Name>;

const invalid = (place: string, cause: string) =>
  usage(`invalid record of the set in ${place}: ${cause}`, {
    hint: 'Check spec.record of the document of kind Set. A lost record is written again by `lanyard apply --adopt`, after the invalid one was deleted.',
  });

/** What a field must be, for messages, and the check of it. */
interface Type {
  readonly expected: string;
  readonly is: (value: unknown) => boolean;
}

interface FieldType extends Type {
  readonly isOptional?: true;
  /** The fields of the object. */
  readonly fields?: Fields;
}

type Fields = Readonly<Record<string, FieldType>>;

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;
const isTexts = (value: unknown): boolean => isObject(value) && Object.values(value).every(isText);
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const text: Type = { expected: 'a string', is: isText };
const count: Type = { expected: 'a number', is: isCount };
const texts: Type = { expected: 'names and texts', is: isTexts };
const time: Type = {
  expected: 'a time',
  is: (value) => isText(value) && !Number.isNaN(Date.parse(value)),
};
const listOf = (is: Type['is'], expected: string): Type => ({
  expected,
  is: (value) => Array.isArray(value) && value.every(is),
});
const optional = (type: FieldType): FieldType => ({ ...type, isOptional: true });

const memberFields: Fields = {
  kind: text,
  scope: texts,
  key: text,
  origin: optional(count),
  uid: optional(text),
  digest: optional(text),
  stated: { expected: 'a number or a list of texts', is: (value) => isCount(value) || isList(value) },
  deletion: optional({
    expected: 'allow or protect',
    is: (value) => value === 'allow' || value === 'protect',
  }),
  rotation: optional(count),
  version: optional(text),
  movedTo: optional(text),
};

/** The fields of the stored form; others are of later versions. */
const recordFields: Fields = {
  id: text,
  name: optional(text),
  generation: optional(count),
  targets: optional({
    expected: 'services and what identifies them',
    is: (value) => isObject(value) && Object.values(value).every(isTexts),
  }),
  origins: optional(listOf(isTexts, 'a list of names and texts')),
  stated: optional(listOf(isList, 'a list of lists of texts')),
  members: { expected: 'a list', is: Array.isArray },
  started: optional({
    expected: 'an object',
    is: isObject,
    fields: { at: text, holder: text, machine: optional(text), pid: optional(count), expires: time },
  }),
  finished: optional(text),
};

/** @throws LanyardError usage: the first field that is missing or has another type, by its JSON pointer. */
function check(value: unknown, fields: Fields, pointer: string, place: string): void {
  if (!isObject(value)) throw invalid(place, `${pointer}: expected an object`);
  for (const [name, { is, expected, isOptional, fields: inner }] of Object.entries(fields)) {
    const field = (value as JsonObject)[name];
    const at = `${pointer}/${name}`;
    if (field === undefined && isOptional) continue;
    if (field === undefined) throw invalid(place, `${at}: missing`);
    if (!is(field)) throw invalid(place, `${at}: expected ${expected}`);
    if (inner) check(field, inner, at, place);
  }
}
