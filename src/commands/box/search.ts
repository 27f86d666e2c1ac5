import { arg, command, flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors.ts';
import { type Box, boxesView, tag } from './views.ts';

/** Boxes that a page may have (docs/protocol/box.md#endpoints). */
const mostOnPage = 100;

export default command({
  description:
    'Looks for Q in the owner, the name and the short description; without Q the boxes come by --sort and --order. A page has 10 boxes; --all walks all pages, and with -o jsonl shows each as it comes.',
  examples: [
    'lanyard box search debian --provider libvirt',
    'lanyard box search --sort updated --limit 20',
    'lanyard box search acme --all -o jsonl',
  ],
  service: 'box',
  args: { q: arg.optional('Q', 'what to look for') },
  flags: {
    provider: flag.text('PROVIDER', 'boxes that have an image for it'),
    sort: flag.choice(['downloads', 'created', 'updated'], 'by what (default downloads)'),
    order: flag.choice(['desc', 'asc'], 'how (default desc)'),
    limit: flag.integer('N', `boxes on a page, at most ${mostOnPage} (default 10; with --all ${mostOnPage})`),
    page: flag.integer('N', 'which page (default 1)'),
    all: flag.boolean('all pages'),
  },
  async run({ args, flags }, ctx) {
    const { all, ...rest } = flags;
    const { limit, page } = rest;
    if (limit !== undefined && (limit < 1 || limit > mostOnPage))
      throw usage(`--limit takes a number from 1 to ${mostOnPage}, not ${limit}`);
    if (page === 0) throw usage('--page takes a number from 1 on');
    if (all && page !== undefined) throw usage('--all and --page exclude each other');
    const query = { q: args.q, ...rest };
    if (all) return everyPage(query, limit ?? mostOnPage, ctx);
    const { body } = await (await ctx.api.box()).searchBoxes(defined(query));
    return { data: body, payload: body.boxes, rows: body.boxes, document: boxesView(body.boxes) };
  },
});

type Query = Readonly<Record<string, string | number | undefined>>;

const defined = (query: Query) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));

/**
 * Walks the pages until one is not full, or has nothing new. A box that another one pushed to the next page is shown
 * once.
 */
async function everyPage(query: Query, limit: number, ctx: Pick<Context, 'api' | 'showPart'>) {
  const box = await ctx.api.box();
  const boxes: Box[] = [];
  const seen = new Set<string>();
  for (let page = 1; ; page++) {
    const { body } = await box.searchBoxes(defined({ ...query, limit, page }));
    const fresh = body.boxes.filter((each) => !seen.has(tag(each)));
    for (const each of fresh) seen.add(tag(each));
    const part = await ctx.showPart({ data: fresh, rows: fresh, document: boxesView(fresh) });
    if (part === 'kept') boxes.push(...fresh);
    const isLast = body.boxes.length < limit || fresh.length === 0;
    if (part === 'gone' || (isLast && part === 'shown')) return undefined;
    if (isLast) return { data: { boxes }, payload: boxes, rows: boxes, document: boxesView(boxes) };
  }
}
