import { formatJson } from '../../../wire/json.ts';
import { yieldToEventLoop } from '../../yield-to-event-loop.ts';
import type { Call } from '../http/call.ts';
import { visible } from '../http/demand.ts';
import type { Found } from '../http/read.ts';
import { entryAnswer, entryOf } from '../state/kv.ts';

/** Keys that are looked at in one stretch. */
const stretch = 1_000;
/** Tries to find all keys as they are at one index, letting others have their turn. */
const tries = 3;

type Listed = Found & { readonly index: number };

/** The entries whose keys begin with a prefix. */
export function listEntries(call: Call, prefix: string): Promise<Listed> {
  const { view } = call.registry.state;
  return list(call, prefix, () => (keys) => {
    return keys.flatMap((key) => {
      const entry = entryOf(view, key);
      return entry ? [entryAnswer(key, entry)] : [];
    });
  });
}

/** The keys that begin with a prefix, or what is before the next separator, once. */
export function listKeys(call: Call, prefix: string): Promise<Listed> {
  const separator = call.request.query.get('separator') ?? '';
  return list(call, prefix, () => {
    const known = new Set<string>();
    return (keys) =>
      keys.flatMap((key) => {
        const at = separator === '' ? -1 : key.indexOf(separator, prefix.length);
        const name = at < 0 ? key : key.slice(0, at + separator.length);
        if (known.has(name)) return [];
        known.add(name);
        return [name];
      });
  });
}

/** What is to be answered for some of the keys. */
type Answered = (keys: readonly string[]) => readonly unknown[];

/**
 * Lists what the caller may see below a prefix, all of it as it was at one index. Between stretches others have
 * their turn; when writes keep coming in between, it is done in one go in the end.
 */
async function list(call: Call, prefix: string, begin: () => Answered): Promise<Listed> {
  for (let left = tries; left > 0; left--) {
    const found = await attempt(call, prefix, begin());
    if (found) return found;
  }
  return listed(call, [...pages(call, prefix, begin())]);
}

/** Undefined: something was written meanwhile. */
async function attempt(call: Call, prefix: string, answered: Answered): Promise<Listed | undefined> {
  const { state } = call.registry;
  const index = state.indexOf('kv');
  const found: Page[] = [];
  for (const page of pages(call, prefix, answered)) {
    found.push(page);
    if (!page.more) break;
    await yieldToEventLoop();
    if (state.indexOf('kv') !== index) return undefined;
  }
  return listed(call, found);
}

interface Page {
  /** What is between the brackets, as it is sent: to encode all of it at once would take long. */
  readonly json: Buffer;
  readonly filtered: boolean;
  readonly more: boolean;
}

function* pages({ authority, registry, request }: Call, prefix: string, answered: Answered): Generator<Page> {
  const pretty = request.query.has('pretty');
  let after = '';
  for (let more = true; more; ) {
    const keys = registry.state.keysAfter('kv', prefix, after, stretch);
    const { items, filtered } = visible(keys, (key) => authority.may('key:read', key));
    const values = answered(items);
    const json = formatJson(values, pretty ? 4 : 0);
    // Without its brackets and, when indented, the end of its last line.
    const inner = values.length === 0 ? '' : json.slice(1, pretty ? -2 : -1);
    after = keys.at(-1) ?? '';
    more = keys.length === stretch;
    yield { json: Buffer.from(inner), filtered, more };
  }
}

function listed({ registry, request }: Call, all: readonly Page[]): Listed {
  const index = registry.state.indexOf('kv');
  const filtered = all.some((page) => page.filtered);
  const parts = all.flatMap(({ json }) => (json.length === 0 ? [] : [comma, json]));
  if (parts.length === 0) return { status: 404, filtered, index };
  const end = Buffer.from(request.query.has('pretty') ? '\n]\n' : ']');
  return { json: Buffer.concat([Buffer.from('['), ...parts.slice(1), end]), filtered, index };
}

const comma = Buffer.from(',');
