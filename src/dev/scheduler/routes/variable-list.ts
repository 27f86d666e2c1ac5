import { formatJson } from '../../../wire/json.ts';
import { type Filter, filterOf } from '../../bexpr/filter.ts';
import { ExpressionError } from '../../bexpr/tokens.ts';
import { type Answer, HttpRefusal, type HttpRequest } from '../../http/service.ts';
import { yieldToEventLoop } from '../../yield-to-event-loop.ts';
import type { Call } from '../http/call.ts';
import { type Found, isPretty, read } from '../http/read.ts';
import { everyNamespace } from '../http/variable.ts';
import { defaultNamespace } from '../state/namespaces.ts';
import type { State } from '../state/tables.ts';
import { keyAt, type Metadata, metadataOf, type Place, placeOf, variableOf } from '../state/variables.ts';

/** Variables that are looked at in one stretch; between two, others have their turn. */
const stretch = 250;
/** Tries to list all variables as they are at one index. */
const tries = 3;

interface Wanted {
  /** Empty: every one. */
  readonly namespace: string;
  readonly prefix: string;
  /** How many; 0: all. */
  readonly perPage: number;
  /** The first one, if it is not the first of all. */
  readonly from: Place | undefined;
  readonly reverse: boolean;
  readonly filter: Filter | undefined;
}

/**
 * Lists variables without their items, in order of namespace and path: those that the caller may list, of a
 * namespace or of all, below a prefix, that pass a filter, page by page.
 */
export async function listVariables(call: Call): Promise<Answer> {
  const wanted = await readWanted(call.request);
  return read(call, 'variables', () => list(call, wanted));
}

async function readWanted({ query }: HttpRequest): Promise<Wanted> {
  const namespace = query.get('namespace') || defaultNamespace;
  const perPage = query.get('per_page') || '0';
  if (!/^\d{1,9}$/.test(perPage)) throw new HttpRefusal(400, `invalid per_page "${perPage}"`);
  const filter = query.get('filter') ?? '';
  return {
    namespace: namespace === everyNamespace ? '' : namespace,
    prefix: query.get('prefix') ?? '',
    perPage: Number(perPage),
    from: placeOfToken(query.get('next_token') ?? ''),
    reverse: query.get('reverse') === 'true',
    filter: filter === '' ? undefined : await readFilter(filter),
  };
}

/** A token is the place of the first item of the page: `namespace.path`. */
function placeOfToken(token: string): Place | undefined {
  if (token === '') return undefined;
  const at = token.indexOf('.');
  if (at < 0) throw new HttpRefusal(400, `invalid next_token "${token}"`);
  return { Namespace: token.slice(0, at), Path: token.slice(at + 1) };
}

const tokenOf = ({ Namespace, Path }: Place): string => `${Namespace}.${Path}`;

/** What a filter can look at; as it is, or within `VariableMetadata`. */
const fields = ['Namespace', 'Path', 'CreateIndex', 'CreateTime', 'ModifyIndex', 'ModifyTime', 'Lock'];
const whole = 'VariableMetadata';

async function readFilter(text: string): Promise<Filter> {
  let filter: Filter;
  try {
    filter = await filterOf(text);
  } catch (error) {
    throw refusalOf(error, 'failed to create result paginator: failed to read filter expression');
  }
  for (const [first = '', second] of filter.selectors) {
    const name = first === whole ? second : first;
    if (name !== undefined && !fields.includes(name)) {
      throw new HttpRefusal(
        400,
        `failed to read result page: error finding value in datum: there is no field "${name}"; fields are ${fields.join(', ')}`,
      );
    }
  }
  return filter;
}

function refusalOf(error: unknown, what: string): unknown {
  return error instanceof ExpressionError ? new HttpRefusal(400, `${what}: ${error.message}`) : error;
}

/**
 * Lists it all as it was at one index. When writes keep coming in between, it is the index of the beginning: who
 * waits with that is told of whatever came since.
 */
async function list(call: Call, wanted: Wanted): Promise<Found> {
  const { state } = call.scheduler;
  for (let left = tries; ; left--) {
    const index = state.indexOf('variables');
    const page = await pageOf(call, wanted);
    if (left <= 1 || state.indexOf('variables') === index) return { ...answered(call, page), index };
  }
}

interface Page {
  /** What is between the brackets, as it is sent: to write all of it at once would take long. */
  readonly parts: readonly Buffer[];
  readonly next: Place | undefined;
}

async function pageOf(call: Call, wanted: Wanted): Promise<Page> {
  const parts: Buffer[] = [];
  let room = wanted.perPage || Number.POSITIVE_INFINITY;
  for await (const keys of stretches(call.scheduler.state, wanted)) {
    const found = select(call, wanted, keys);
    const taken = found.slice(0, room);
    if (taken.length > 0) parts.push(inner(call, taken));
    room -= taken.length;
    const next = found[taken.length];
    if (next) return { parts, next };
  }
  return { parts, next: undefined };
}

function answered({ request }: Call, { parts, next }: Page): Pick<Found, 'json' | 'prefixed'> {
  const between = parts.flatMap((part) => [comma, part]).slice(1);
  const pretty = isPretty(request);
  const end = Buffer.from(pretty ? (parts.length > 0 ? '\n]\n' : ']\n') : ']');
  return {
    json: Buffer.concat([Buffer.from('['), ...between, end]),
    ...(next && { prefixed: { NextToken: tokenOf(next) } }),
  };
}

const comma = Buffer.from(',');

/** JSON without its brackets and, when indented, the end of its last line. */
function inner({ request }: Call, values: readonly Metadata[]): Buffer {
  const pretty = isPretty(request);
  return Buffer.from(formatJson(values, pretty ? 4 : 0).slice(1, pretty ? -2 : -1));
}

function select({ authority, scheduler }: Call, { filter }: Wanted, keys: readonly string[]): Metadata[] {
  const { view } = scheduler.state;
  const seen = keys.flatMap((key) => {
    const place = placeOf(key);
    const variable = authority.may('list', place) ? variableOf(view, place) : undefined;
    return variable ? [metadataOf(view, place, variable)] : [];
  });
  if (!filter) return seen;
  try {
    return filter.select(seen.map((each) => ({ ...each, [whole]: each, each }))).map(({ each }) => each);
  } catch (error) {
    throw refusalOf(error, 'failed to read result page');
  }
}

/** The keys of what is wanted, some at a time, in the order that is wanted. */
async function* stretches(state: State, wanted: Wanted): AsyncGenerator<string[]> {
  if (!wanted.reverse) {
    yield* ascending(state, wanted, wanted.from);
    return;
  }
  const last = wanted.from && keyAt(wanted.from);
  const all: string[][] = [];
  for await (const keys of ascending(state, wanted, undefined)) {
    all.push(last === undefined ? keys : keys.filter((key) => key <= last));
  }
  for (const keys of all.reverse()) {
    yield keys.reverse();
    await yieldToEventLoop();
  }
}

async function* ascending(
  state: State,
  { namespace, prefix }: Wanted,
  from: Place | undefined,
): AsyncGenerator<string[]> {
  const namespaces = namespace === '' ? state.view.keys('namespaces', '') : [namespace];
  for (const Namespace of namespaces) {
    const below = keyAt({ Namespace, Path: prefix });
    if (from && Namespace < from.Namespace) continue;
    let after = from?.Namespace === Namespace ? keyAt(from) : '';
    // The first one is of the page.
    if (after.startsWith(below) && variableOf(state.view, placeOf(after))) yield [after];
    for (let more = true; more; ) {
      const keys = state.keysAfter('variables', below, after, stretch);
      if (keys.length > 0) yield keys;
      await yieldToEventLoop();
      after = keys.at(-1) ?? '';
      more = keys.length === stretch;
    }
  }
}
