import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import type { Storage } from '../../core/store/storage.ts';
import { yieldToEventLoop } from '../../core/yield-to-event-loop.ts';
import { canSee, visibleBox } from '../auth.ts';
import type { Call } from '../call.ts';
import { forbidden } from '../errors.ts';
import { type Box, boxesOf, currentVersion, downloadsOf } from '../model/boxes.ts';
import { ownerOf } from '../model/owners.ts';
import { boxView } from '../views.ts';

const sortFields = ['downloads', 'created', 'updated'] as const;
const sortOrders = ['desc', 'asc'] as const;

const maxLimit = 100;

/** Boxes to check before yielding to other requests. */
const batchSize = 1000;

/**
 * Finds visible boxes that have a released version; clients read the current version of each
 * (docs/protocol/box.md#architectures).
 */
export async function search(call: Call): Promise<HttpResponse> {
  const { query } = call.request;
  const limit = integerParameter(query, 'limit', 10, maxLimit);
  const page = integerParameter(query, 'page', 1, Number.MAX_SAFE_INTEGER);
  const sortKey = sortKeys[choiceParameter(query, 'sort', sortFields)];
  const sign = choiceParameter(query, 'order', sortOrders) === 'desc' ? -1 : 1;
  const text = (query.get('q') ?? '').trim().toLowerCase();
  const provider = query.get('provider') ?? '';
  const hits: SearchHit[] = [];
  for (const [index, box] of boxesOf(call.registry.storage).entries()) {
    if (index % batchSize === batchSize - 1) await yieldToEventLoop();
    if (!matchesText(box, text) || !hasProvider(box, provider) || !isSearchable(call, box)) continue;
    hits.push({ box, key: sortKey(box, call.registry.storage) });
  }
  // The sort is stable: equal boxes stay in the order of their names, so pages neither repeat nor omit one.
  hits.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -sign : sign));
  const start = (page - 1) * limit;
  const boxes = hits.slice(start, start + limit).map(({ box }) => boxView(call, visibleBox(call, box)));
  return jsonResponse(200, { boxes });
}

interface SearchHit {
  readonly box: Box;
  readonly key: number;
}

const sortKeys = {
  downloads: (box: Box, storage: Storage) => downloadsOf(storage, box),
  created: ({ createdAt }: Box) => Date.parse(createdAt),
  updated: ({ updatedAt }: Box) => Date.parse(updatedAt),
};

function isSearchable(call: Call, box: Box): boolean {
  if (!currentVersion(box) || !canSee(call, box)) return false;
  return !box.private || !ownerOf(call.registry.storage, box.owner)?.delinquent;
}

function matchesText({ owner, name, shortDescription }: Box, text: string): boolean {
  return [`${owner}/${name}`, shortDescription].some((each) => each.toLowerCase().includes(text));
}

/** Empty: any provider. */
function hasProvider(box: Box, provider: string): boolean {
  if (provider === '') return true;
  return currentVersion(box)?.providers.some(({ name }) => name === provider) ?? false;
}

/** Defaults to the first choice. @throws HttpError 403 */
function choiceParameter<Choice extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const value = query.get(name) || choices[0];
  const choice = choices.find((each) => each === value);
  if (!choice) throw forbidden(`${name} must be one of ${choices.join(', ')}`);
  return choice;
}

/** @throws HttpError 403 */
function integerParameter(query: URLSearchParams, name: string, defaultValue: number, max: number): number {
  const text = query.get(name) || String(defaultValue);
  const value = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw forbidden(`${name} must be an integer from 1 to ${max}`);
  return value;
}
