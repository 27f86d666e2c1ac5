import { type Answer, jsonAnswer } from '../../http/service.ts';
import type { Storage } from '../../storage.ts';
import { yieldToEventLoop } from '../../yield-to-event-loop.ts';
import { maySee, shown } from '../access.ts';
import type { Call } from '../http/call.ts';
import { notAllowed } from '../http/refusals.ts';
import { type Box, boxesOf, currentVersion, downloadsOf } from '../state/boxes.ts';
import { ownerOf } from '../state/owners.ts';
import { boxView } from '../views.ts';

const sorts = ['downloads', 'created', 'updated'] as const;
const orders = ['desc', 'asc'] as const;

const maxLimit = 100;

/** Boxes that are looked at before other requests get their turn. */
const stretch = 1000;

/**
 * Finds boxes that the caller may see and that have a released version: what is found is what can be had, and
 * clients read the current version of each (docs/protocol/box.md#architectures).
 */
export async function search(call: Call): Promise<Answer> {
  const { query } = call.request;
  const limit = integerOf(query, 'limit', 10, maxLimit);
  const page = integerOf(query, 'page', 1, Number.MAX_SAFE_INTEGER);
  const by = sorting[oneOf(query, 'sort', sorts)];
  const sign = oneOf(query, 'order', orders) === 'desc' ? -1 : 1;
  const text = (query.get('q') ?? '').trim().toLowerCase();
  const provider = query.get('provider') ?? '';
  const found: Hit[] = [];
  for (const [index, box] of boxesOf(call.registry.storage).entries()) {
    if (index % stretch === stretch - 1) await yieldToEventLoop();
    if (!matches(box, text) || !runsOn(box, provider) || !isListed(call, box)) continue;
    found.push({ box, key: by(box, call.registry.storage) });
  }
  // Equal ones stay in the order of their names, so that pages neither repeat nor omit one.
  found.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -sign : sign));
  const start = (page - 1) * limit;
  const boxes = found.slice(start, start + limit).map(({ box }) => boxView(call, shown(call, box)));
  return jsonAnswer(200, { boxes });
}

interface Hit {
  readonly box: Box;
  readonly key: number;
}

/** What a box is sorted by. */
const sorting = {
  downloads: (box: Box, storage: Storage) => downloadsOf(storage, box),
  created: ({ createdAt }: Box) => Date.parse(createdAt),
  updated: ({ updatedAt }: Box) => Date.parse(updatedAt),
};

function isListed(call: Call, box: Box): boolean {
  if (!currentVersion(box) || !maySee(call, box)) return false;
  return !box.private || !ownerOf(call.registry.storage, box.owner)?.delinquent;
}

function matches({ owner, name, shortDescription }: Box, text: string): boolean {
  return [`${owner}/${name}`, shortDescription].some((each) => each.toLowerCase().includes(text));
}

/** Empty text: whatever it runs on. */
function runsOn(box: Box, provider: string): boolean {
  if (provider === '') return true;
  return currentVersion(box)?.providers.some(({ name }) => name === provider) ?? false;
}

/** The first of the choices where nothing is said. @throws HttpRefusal 403 */
function oneOf<Choice extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const value = query.get(name) || choices[0];
  const choice = choices.find((each) => each === value);
  if (!choice) throw notAllowed(`${name} must be one of ${choices.join(', ')}`);
  return choice;
}

/** @throws HttpRefusal 403 */
function integerOf(query: URLSearchParams, name: string, otherwise: number, most: number): number {
  const text = query.get(name) || String(otherwise);
  const value = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw notAllowed(`${name} must be an integer from 1 to ${most}`);
  return value;
}
