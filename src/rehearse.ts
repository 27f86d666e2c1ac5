import type { Rehearsed } from './api/rehearsal.ts';
import type { Rehearsal } from './api/transport.ts';
import type { AnyCommand, Outcome } from './command.ts';
import type { Block } from './output/document.ts';
import type { Result } from './output/result.ts';

const isRehearsed = (error: unknown): error is Rehearsed =>
  error instanceof Error && error.name === 'Rehearsed';

/**
 * Does one thing after the other, of which none needs what another gave back.
 *
 * @throws in a rehearsal `Rehearsed`, with the calls of all of them.
 */
export async function inTurn<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const stops: Rehearsed[] = [];
  for (const item of items) {
    await work(item).catch((error: unknown) => {
      if (!isRehearsed(error)) throw error;
      stops.push(error);
    });
  }
  if (stops.length === 0) return;
  const { Rehearsed } = await import('./api/rehearsal.ts');
  throw new Rehearsed(stops.flatMap(({ calls }) => calls));
}

/**
 * What a command that writes says in the place of a curl line when it had nothing to send: a comment, because what
 * `--curl` prints is there to be run by a shell.
 */
export const unsent =
  (globals: { readonly curl: boolean }, { writes, service }: Pick<AnyCommand, 'writes' | 'service'>) =>
  async (outcome: Outcome): Promise<Outcome> => {
    if (!globals.curl || !writes || service === undefined || outcome?.document === undefined) return outcome;
    if (outcome.rehearsal) return outcome;
    const [{ renderText }, { raw }, { printable }] = await Promise.all([
      import('./output/text.ts'),
      import('./output/document.ts'),
      import('./wire/printable.ts'),
    ]);
    const said = await renderText(outcome.document, { terminal: false, color: false, width: 80 });
    const comment = `# nothing to send: ${printable(said.trimEnd()).replaceAll('\n', '\n# ')}`;
    return { data: comment, document: [raw(`${comment}\n`)], exitCode: outcome.exitCode ?? 0 };
  };

/**
 * Turns the stop of a rehearsal (`--dry-run`, `--curl`) into a result that shows the requests; any other error
 * goes on its way.
 */
export const rehearsed =
  (globals: { readonly curl: boolean }) =>
  async (error: unknown): Promise<Result> => {
    if (!isRehearsed(error)) throw error;
    const [{ fields, raw, text }, { formatJson }] = await Promise.all([
      import('./output/document.ts'),
      import('./wire/json.ts'),
    ]);
    const { calls } = error;
    if (globals.curl) {
      const lines = calls.map(({ curl }) => curl).join('\n');
      return { data: lines, document: [raw(`${lines}\n`)], rehearsal: true };
    }
    const rehearsals = calls.map(({ rehearsal }) => rehearsal);
    const [only, ...others] = rehearsals;
    const shown = (rehearsal: Rehearsal): Block[] => [
      fields([['request', `${rehearsal.method} ${rehearsal.url}`], ...Object.entries(rehearsal.headers)]),
      ...(rehearsal.body === undefined ? [] : [raw(`${bodyText(rehearsal.body)}\n`)]),
    ];
    const bodyText = (body: Rehearsal['body']): string =>
      typeof body === 'string' ? body : formatJson(body, 2);
    return {
      rehearsal: true,
      ...(others.length === 0 ? { data: only } : { data: rehearsals, rows: rehearsals }),
      document: [
        text(
          others.length === 0
            ? 'This would be sent; nothing was.'
            : `These ${calls.length} requests would be sent, one after the other; nothing was.`,
        ),
        ...rehearsals.flatMap(shown),
      ],
    };
  };
