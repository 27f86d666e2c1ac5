import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { yieldingIterator } from '../../core/yielding-iterator.ts';
import { canSee, visibleBox } from '../auth.ts';
import type { Call } from '../call.ts';
import { forbidden } from '../errors.ts';
import { type Box, currentVersion } from '../model/boxes.ts';
import { ownerOf } from '../model/owners.ts';
import { sortFields, sortOrders } from '../model/search-index.ts';
import { boxView } from '../views.ts';

const maxLimit = 100;

/**
 * Finds visible boxes that have a released version; clients read the current version of each
 * (docs/protocol/box.md#architectures).
 */
export async function search(call: Call): Promise<HttpResponse> {
  const { query } = call.request;
  const limit = integerParameter(query, 'limit', 10, maxLimit);
  const page = integerParameter(query, 'page', 1, Number.MAX_SAFE_INTEGER);
  const order =
    `${choiceParameter(query, 'sort', sortFields)} ${choiceParameter(query, 'order', sortOrders)}` as const;
  const text = (query.get('q') ?? '').trim().toLowerCase();
  const provider = query.get('provider') ?? '';
  const { searchIndex } = call.registry;
  const owners = [...searchIndex.privateOwners].filter((owner) => isPrivateVisible(call, owner));
  const start = (page - 1) * limit;
  const found =
    text === '' && provider === ''
      ? searchIndex.page(owners, order, start, limit)
      : await matches(
          searchIndex.all(owners, order),
          (box) => matchesText(box, text) && hasProvider(box, provider),
          { start, limit },
        );
  return jsonResponse(200, { boxes: found.map((box) => boxView(call, visibleBox(call, box))) });
}

/** The matching boxes of a page: all of them are examined until it is full. */
async function matches(
  boxes: Iterable<Box>,
  isMatch: (box: Box) => boolean,
  { start, limit }: { readonly start: number; readonly limit: number },
): Promise<Box[]> {
  const found: Box[] = [];
  let toSkip = start;
  for await (const box of yieldingIterator(boxes)) {
    if (!isMatch(box) || toSkip-- > 0) continue;
    found.push(box);
    if (found.length === limit) break;
  }
  return found;
}

/** Whether the caller may see the private boxes of an owner. */
function isPrivateVisible(call: Call, owner: string): boolean {
  return canSee(call, { owner, private: true }) && !ownerOf(call.registry.storage, owner)?.delinquent;
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
