import { usage } from '../errors.ts';
import { type Json, parseJson } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import type { JsonObject } from './kind.ts';
import type { Member, SetRecord, Started } from './record.ts';
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
    ...(origin === undefined ? {} : { origin: origins.numberOf(origin) }),
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
      const text = textOf(value);
      const number = numbers.get(text) ?? all.push(value) - 1;
      numbers.set(text, number);
      return number;
    },
  };
}

/** JSON of a record. @throws LanyardError usage: it is not JSON. */
export function parseRecordText(text: string, place: string): JsonObject {
  let value: Json;
  try {
    value = parseJson(text);
  } catch {
    throw invalid(place, 'not valid JSON');
  }
  if (!isObject(value)) throw invalid(place, 'expected an object');
  return value as JsonObject;
}

/** Reads a record in the form of this or of an earlier version. @throws LanyardError usage: it is not one. */
export function readRecord(data: JsonObject, place: string): SetRecord {
  const { id, members, started, finished, generation = 0, targets = {} } = data;
  if (typeof id !== 'string' || !Array.isArray(members)) throw invalid(place, 'expected "id" and "members"');
  if (typeof generation !== 'number' || !Number.isInteger(generation))
    throw invalid(place, '"generation" is not a number');
  if (!isObject(targets) || !Object.values(targets).every(isTexts))
    throw invalid(place, '"targets" is not a map');
  const tables = {
    origins: tableOf(data.origins, 'origins', isTexts, place),
    stated: tableOf(data.stated, 'stated', isList, place),
  };
  return {
    id,
    name: typeof data.name === 'string' ? data.name : '',
    generation,
    targets: targets as SetRecord['targets'],
    members: members.map((member, index) => {
      const found = memberOf(member, tables);
      if (!found) throw invalid(place, `member ${index + 1} is invalid`);
      return found;
    }),
    ...(started === undefined ? {} : { started: startedOf(started, place) }),
    ...(typeof finished === 'string' ? { finished } : {}),
  };
}

const invalid = (place: string, cause: string) =>
  usage(`invalid record of the set in ${place}: ${cause}`, {
    hint: 'Check spec.record of the document of kind Set. A lost record is written again by `lanyard apply --adopt`, after the invalid one was deleted.',
  });

type Texts = Readonly<Record<string, string>>;

const isTexts = (value: unknown): value is Texts =>
  isObject(value) && Object.values(value).every((text) => typeof text === 'string');

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

function tableOf<Value>(
  table: Json | undefined,
  name: string,
  isValue: (value: unknown) => value is Value,
  place: string,
): readonly Value[] {
  if (table === undefined) return [];
  if (!Array.isArray(table) || !table.every(isValue)) throw invalid(place, `"${name}" is invalid`);
  return table as unknown as readonly Value[];
}

const isTextOrMissing = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

function memberOf(
  member: Json,
  {
    origins,
    stated: lists,
  }: { readonly origins: readonly Texts[]; readonly stated: readonly (readonly string[])[] },
): Member | undefined {
  if (!isObject(member)) return undefined;
  const { kind, scope, key, uid, digest, deletion, rotation, origin, stated } = member as JsonObject;
  const list = typeof stated === 'number' ? lists[stated] : stated;
  const found = origin === undefined ? undefined : origins[Number(origin)];
  const isValid =
    typeof kind === 'string' &&
    isTexts(scope) &&
    typeof key === 'string' &&
    isTextOrMissing(uid) &&
    isTextOrMissing(digest) &&
    isList(list) &&
    (rotation === undefined || typeof rotation === 'number') &&
    (origin === undefined || found !== undefined);
  if (!isValid) return undefined;
  return {
    kind,
    scope,
    key,
    ...(found === undefined ? {} : { origin: found }),
    ...(uid === undefined ? {} : { uid }),
    ...(digest === undefined ? {} : { digest }),
    stated: list,
    deletion: deletion === 'allow' ? 'allow' : 'protect',
    ...(rotation === undefined ? {} : { rotation }),
  };
}

function startedOf(value: Json, place: string): Started {
  const { at, holder, expires, machine, pid } = (isObject(value) ? value : {}) as JsonObject;
  const isValid =
    typeof at === 'string' &&
    typeof holder === 'string' &&
    typeof expires === 'string' &&
    !Number.isNaN(Date.parse(expires));
  if (!isValid) throw invalid(place, '"started" is invalid');
  return {
    at,
    holder,
    expires,
    ...(typeof machine === 'string' ? { machine } : {}),
    ...(typeof pid === 'number' ? { pid } : {}),
  };
}
