import { jsonResponse } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import { yieldingIterator } from '../../core/yielding-iterator.ts';
import { canSee, visibleBox } from '../auth.ts';
import { type Call, operations } from '../call.ts';
import { type Box, currentVersion } from '../model/boxes.ts';
import { ownerOf } from '../model/owners.ts';
import { sortFields, sortOrders } from '../model/search-index.ts';
import { boxSummary } from '../objects.ts';
import { boxView } from '../views.ts';

const operation = operations('Boxes');

/** Finds visible boxes; clients read the current version of each (docs/protocol/box.md#architectures). */
export const search = operation('search', 'Search boxes that have a released version', {
  query: {
    q: s.string('Text in the name or the short description.'),
    provider: s.string('Name of a provider of the current version.'),
    sort: s.oneOf(sortFields, undefined, { default: 'downloads' }),
    order: s.oneOf(sortOrders, undefined, { default: 'desc' }),
    limit: s.integer('Boxes in a page.', { minimum: 1, maximum: 100, default: 10 }),
    page: s.integer('Number of the page.', {
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 1,
    }),
  },
  returns: s.object({ boxes: s.list(boxSummary) }),
  errors: [403],
  async handle(call) {
    const { limit, page, provider, ...query } = call.query();
    const order = `${query.sort} ${query.order}` as const;
    const text = query.q.trim().toLowerCase();
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
  },
});

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
