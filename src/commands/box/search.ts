import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { LanyardError, usage } from '../../errors.ts';
import { compact } from '../../wire/objects.ts';
import { type Box, boxesView, tag } from './lib/views.ts';

/** Maximum number of boxes per page (docs/protocol/box.md#endpoints). */
const maxPageSize = 100;

export default command({
  description:
    'Searches the owner, name and short description for Q; without Q, lists all boxes. With --all -o jsonl, each page is written as it arrives.',
  examples: [
    'lanyard box search web --provider libvirt',
    'lanyard box search --sort updated --limit 20',
    'lanyard box search dev --all -o jsonl',
  ],
  service: 'box',
  args: { q: arg.optional('Q', 'text to search for') },
  flags: {
    provider: flag.text('PROVIDER', 'only boxes with this provider'),
    sort: flag.choice(['downloads', 'created', 'updated'], 'sort by downloads (default), created or updated'),
    order: flag.choice(['desc', 'asc'], 'sort order (default desc)'),
    limit: flag.integer(
      'N',
      `boxes per page, at most ${maxPageSize} (default 10, with --all ${maxPageSize})`,
    ),
    page: flag.integer('N', 'page to show (default 1)'),
    all: flag.boolean('request all pages'),
  },
  async run({ args, flags }, ctx) {
    const { all, ...rest } = flags;
    const { limit, page } = rest;
    if (limit !== undefined && (limit < 1 || limit > maxPageSize))
      throw usage(`invalid --limit ${limit}: expected 1 to ${maxPageSize}`);
    if (page === 0) throw usage('invalid --page 0: expected at least 1');
    if (all && page !== undefined) throw usage('--all cannot be combined with --page');
    const query = { q: args.q, ...rest };
    if (all) return readAllPages(query, limit ?? maxPageSize, ctx);
    const { body } = await (await ctx.api.box()).searchBoxes(compact(query));
    return { data: body, payload: body.boxes, rows: body.boxes, document: boxesView(body.boxes) };
  },
});

type Query = Readonly<Record<string, string | number | undefined>>;

/**
 * Reads pages until one is empty, or shorter than the first: a registry may have a smaller maximum than the limit. A box
 * that moves to the next page in the meantime is shown once.
 *
 * @throws LanyardError failure: a full page has no new boxes, so that the registry may have more than it returns.
 */
async function readAllPages(query: Query, limit: number, ctx: Context) {
  const box = await ctx.api.box();
  const boxes: Box[] = [];
  const seen = new Set<string>();
  let size = 0;
  for (let page = 1; ; page++) {
    const { body } = await box.searchBoxes(compact({ ...query, limit, page }));
    if (page === 1) size = body.boxes.length;
    const unseen = body.boxes.filter((each) => !seen.has(tag(each)));
    for (const each of unseen) seen.add(tag(each));
    const isRepeated = body.boxes.length > 0 && unseen.length === 0;
    if (isRepeated && body.boxes.length >= limit)
      throw new LanyardError(
        'failure',
        'unexpected response from the box registry: the same page was returned twice',
        { service: 'box' },
      );
    const isLast = unseen.length === 0 || body.boxes.length < size;
    const part = await ctx.output.showPartial({ data: unseen, rows: unseen, document: boxesView(unseen) });
    if (part === 'unsupported') boxes.push(...unseen);
    if (part === 'closed' || (isLast && part === 'shown')) return undefined;
    if (isLast) return { data: { boxes }, payload: boxes, rows: boxes, document: boxesView(boxes) };
  }
}
