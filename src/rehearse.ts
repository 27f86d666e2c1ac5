import type { Rehearsal } from './api/transport.ts';
import type { Result } from './output/result.ts';

/**
 * Turns the stop of a rehearsal (`--dry-run`, `--curl`) into a result that shows the request; any other error
 * goes on its way.
 */
export const rehearsed =
  (globals: { readonly curl: boolean }) =>
  async (error: unknown): Promise<Result> => {
    if (!(error instanceof Error) || error.name !== 'Rehearsed') throw error;
    const [{ Rehearsed }, { fields, raw, text }, { formatJson }] = await Promise.all([
      import('./api/rehearsal.ts'),
      import('./output/document.ts'),
      import('./wire/json.ts'),
    ]);
    if (!(error instanceof Rehearsed)) throw error;
    const { rehearsal, curl } = error;
    if (globals.curl) return { data: curl, document: [raw(`${curl}\n`)] };
    const body = rehearsal.body;
    return {
      data: rehearsal,
      document: [
        text('This would be sent; nothing was.'),
        fields([['request', `${rehearsal.method} ${rehearsal.url}`], ...headerRows(rehearsal)]),
        ...(body === undefined ? [] : [raw(`${typeof body === 'string' ? body : formatJson(body, 2)}\n`)]),
      ],
    };
  };

const headerRows = (rehearsal: Rehearsal): [string, string][] =>
  Object.entries(rehearsal.headers).map(([name, value]) => [name, value]);
