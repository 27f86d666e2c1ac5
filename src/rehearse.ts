import type { Rehearsed } from './api/rehearsal.ts';
import type { Rehearsal } from './api/transport.ts';
import type { AnyCommand, Outcome } from './command.ts';
import type { Credentials, Profiles } from './config/profile.ts';
import type { Context, Files } from './context.ts';
import type { Block } from './output/document.ts';
import type { Result } from './output/result.ts';

/** Thrown instead of a change on this machine: where a rehearsal comes to one, it has no request to show. */
class Withheld extends Error {
  constructor(change: string) {
    super(change);
    this.name = 'Withheld';
  }
}

const withhold = (change: string): never => {
  throw new Withheld(change);
};

/** The profiles of a rehearsal: they are read, and never changed. */
export const rehearsingProfiles = (profiles: Profiles): Profiles => ({
  ...profiles,
  change: async () => withhold(`the profiles in ${profiles.path} would be changed`),
});

/** The tokens at rest of a rehearsal: they are read, and neither stored nor forgotten. */
export const rehearsingCredentials = (credentials: Credentials): Credentials => ({
  ...credentials,
  set: async (profile, service) =>
    withhold(`the token of ${service} would be stored in the profile "${profile}"`),
  delete: async (profile, service) =>
    withhold(`the token of ${service} stored in the profile "${profile}" would be removed`),
});

/** The files of a rehearsal: they are read, and nothing is written, made or removed. */
export const rehearsingFiles = (files: Files): Files => ({
  ...files,
  write: async (wanted) => withhold(`${wanted.map(({ path }) => path).join(' and ')} would be written`),
  makeFolders: async (folder) => withhold(`the directory ${folder} would be created`),
  makeFolder: async (folder) => withhold(`the directory ${folder} would be created`),
  part: async ({ path }) => withhold(`${path} would be written`),
  edit: async ({ path }) => withhold(`${path} would be changed`),
  remove: async (path) => withhold(`${path} would be removed`),
});

/** The children of a rehearsal, none of which is started. */
export const rehearsingChild: Context['runChild'] = async ({ command }) =>
  withhold(`${command} would be started`);

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
 * What a command that writes says instead of a curl line when it had nothing to send: a comment, because what
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
 * Turns the stop of a rehearsal (`--dry-run`, `--curl`) into a result that shows the requests, or the change on this
 * machine that it came to without one; any other error goes on its way.
 *
 * The result says too what follows these requests and depends on their responses.
 */
export const rehearsed =
  (globals: { readonly curl: boolean }): Context['rehearsed'] =>
  async (error, further = []) => {
    if (error instanceof Withheld) return withheld(error.message, globals);
    if (!isRehearsed(error)) throw error;
    const { calls } = error;
    const { raw, text } = await import('./output/document.ts');
    if (globals.curl) {
      const lines = [...calls.map(({ curl }) => curl), ...further.map((each) => `# ${each}`)].join('\n');
      return { data: lines, document: [raw(`${lines}\n`)], rehearsal: true };
    }
    const rehearsals = calls.map(({ rehearsal }) => rehearsal);
    const [only, ...others] = rehearsals;
    const said =
      others.length === 0
        ? 'Dry run: nothing was sent. Request:'
        : `Dry run: nothing was sent. ${calls.length} requests, in order:`;
    return {
      rehearsal: true,
      ...(others.length === 0 ? { data: only } : { data: rehearsals, rows: rehearsals }),
      document: [
        text(said),
        ...(await Promise.all(rehearsals.map(shown))).flat(),
        ...further.map((each) => text(each)),
      ],
    };
  };

async function shown({ method, url, unixSocket, headers, body, bytes }: Rehearsal): Promise<Block[]> {
  const [{ fields, raw }, { formatJson }] = await Promise.all([
    import('./output/document.ts'),
    import('./wire/json.ts'),
  ]);
  return [
    fields([
      ['request', `${method} ${url}`],
      ...(unixSocket === undefined ? [] : [['unix socket', unixSocket] as const]),
      ...Object.entries(headers),
      ...(bytes === undefined ? [] : [['body', `${bytes} bytes`] as const]),
    ]),
    ...(body === undefined ? [] : [raw(`${typeof body === 'string' ? body : formatJson(body, 2)}\n`)]),
  ];
}

async function withheld(change: string, { curl }: { readonly curl: boolean }): Promise<Result> {
  const { raw, text } = await import('./output/document.ts');
  if (curl) {
    const line = `# no change would be sent; ${change}`;
    return { data: line, document: [raw(`${line}\n`)], rehearsal: true };
  }
  return {
    data: { change },
    document: [text(`Dry run: nothing was changed. On this machine ${change}.`)],
    rehearsal: true,
  };
}
