import type { Rehearsal } from './api/transport.ts';
import type { Credentials, Profiles } from './config/profile.ts';
import type { Context, Files } from './context.ts';
import type { Result } from './output/result.ts';

/** Thrown in the place of a change on this machine: where a rehearsal comes to one, it has no request to show. */
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
    withhold(`the token of ${service} would be stored with the profile "${profile}"`),
  delete: async (profile, service) =>
    withhold(`the token of ${service} that is stored with the profile "${profile}" would be forgotten`),
});

/** The files of a rehearsal: they are read, and nothing is written, made or removed. */
export const rehearsingFiles = (files: Files): Files => ({
  ...files,
  write: async (wanted) => withhold(`${wanted.map(({ path }) => path).join(' and ')} would be written`),
  makeFolders: async (folder) => withhold(`the folder ${folder} would be made`),
  makeFolder: async (folder) => withhold(`the folder ${folder} would be made`),
  part: async ({ path }) => withhold(`${path} would be written`),
  edit: async ({ path }) => withhold(`${path} would be changed`),
  remove: async (path) => withhold(`${path} would be removed`),
});

/** The children of a rehearsal, none of which is started. */
export const rehearsingChild: Context['runChild'] = async ({ command }) =>
  withhold(`${command} would be started`);

/**
 * Turns the stop of a rehearsal (`--dry-run`, `--curl`) into a result that shows the request, or the change on this
 * machine that it came to without one; any other error goes on its way.
 */
export const rehearsed =
  (globals: { readonly curl: boolean }) =>
  async (error: unknown): Promise<Result> => {
    if (error instanceof Withheld) return withheld(error.message, globals);
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
        fields([
          ['request', `${rehearsal.method} ${rehearsal.url}`],
          ...headerRows(rehearsal),
          ...(rehearsal.bytes === undefined ? [] : [['body', `${rehearsal.bytes} bytes`] as const]),
        ]),
        ...(body === undefined ? [] : [raw(`${typeof body === 'string' ? body : formatJson(body, 2)}\n`)]),
      ],
    };
  };

async function withheld(change: string, { curl }: { readonly curl: boolean }): Promise<Result> {
  const { raw, text } = await import('./output/document.ts');
  if (curl) {
    const line = `# no change would be sent; ${change}`;
    return { data: line, document: [raw(`${line}\n`)] };
  }
  return {
    data: { change },
    document: [text(`No change would be sent. On this machine ${change}; it was not.`)],
  };
}

const headerRows = (rehearsal: Rehearsal): [string, string][] =>
  Object.entries(rehearsal.headers).map(([name, value]) => [name, value]);
