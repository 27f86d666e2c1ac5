import type { DryRunRequest, DryRunStop } from '../../api/dry-run.ts';
import type { AnyCommand, Outcome } from '../../command/command.ts';
import type { UserOutput } from '../../command/context.ts';
import type { Files } from '../../command/files.ts';
import type { System } from '../../command/system.ts';
import type { Credentials } from '../../config/credentials.ts';
import type { Profiles } from '../../config/profiles.ts';
import { type Block, fields, raw, text } from '../../output/document.ts';
import type { DryRunResult } from '../../output/result.ts';
import { renderText } from '../../output/text.ts';
import { formatJson } from '../../wire/json.ts';
import { toPrintable } from '../../wire/printable.ts';

/** What a dry run shows: its requests, the local change, or with --curl the lines of a shell. */
export type DryRunData = DryRunRequest | readonly DryRunRequest[] | LocalChange | string;

interface LocalChange {
  /** What would be changed on this machine. */
  readonly change: string;
}

/** Thrown instead of a local change in a dry run that has no request to show. */
class LocalChangeStop extends Error {
  override readonly name = 'LocalChangeStop';
}

const stopBeforeChange = (change: string): never => {
  throw new LocalChangeStop(change);
};

/** The profiles of a dry run, which are read and not changed. */
export const dryRunProfiles = (profiles: Profiles): Profiles => ({
  ...profiles,
  change: async () => stopBeforeChange(`the profiles in ${profiles.path} would be changed`),
});

/** The stored tokens of a dry run, which are read and not changed. */
export const dryRunCredentials = (credentials: Credentials): Credentials => ({
  ...credentials,
  set: async (profile, service) =>
    stopBeforeChange(`the token of ${service} would be stored in the profile "${profile}"`),
  delete: async (profile, service) =>
    stopBeforeChange(`the token of ${service} stored in the profile "${profile}" would be removed`),
});

/** The files of a dry run, which are read and not changed. */
export const dryRunFiles = <UserFiles extends Omit<Files, 'absolute'>>(files: UserFiles): UserFiles => ({
  ...files,
  write: async (newFiles) =>
    stopBeforeChange(`${newFiles.map(({ path }) => path).join(' and ')} would be written`),
  writeOneOfMany: async ({ path }) => stopBeforeChange(`${path} would be written`),
  append: async (all) => stopBeforeChange(`${all.map(({ path }) => path).join(' and ')} would be changed`),
  createDirectories: async (folder) => stopBeforeChange(`the directory ${folder} would be created`),
  createDirectory: async (folder) => stopBeforeChange(`the directory ${folder} would be created`),
  openPartialDownload: async ({ path }) => stopBeforeChange(`${path} would be written`),
  edit: async ({ path }) => stopBeforeChange(`${path} would be changed`),
  editBytes: async ({ path }) => stopBeforeChange(`${path} would be changed`),
  remove: async (path) => stopBeforeChange(`${path} would be removed`),
  removeEmptyDirectory: async (path) => stopBeforeChange(`the directory ${path} would be removed`),
  locked: (_path, work) => work(),
});

/** The child processes of a dry run, which are not started. */
export const dryRunChild: System['runChild'] = async ({ command }) =>
  stopBeforeChange(`${command} would be started`);

const isDryRunStop = (error: unknown): error is DryRunStop =>
  error instanceof Error && error.name === 'DryRunStop';

/**
 * Runs independent writes one after the other.
 *
 * @throws DryRunStop, in a dry run, with the requests of all of them.
 */
export async function sequentially<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const stops: DryRunStop[] = [];
  for (const item of items) {
    await work(item).catch((error: unknown) => {
      if (!isDryRunStop(error)) throw error;
      stops.push(error);
    });
  }
  if (stops.length === 0) return;
  const { DryRunStop } = await import('../../api/dry-run.ts');
  throw new DryRunStop(stops.flatMap(({ calls }) => calls));
}

/** With `--curl`, shows the result of a write that sent nothing as a shell comment. */
export const explainUnsent =
  (globals: { readonly curl: boolean }, { writes, service }: Pick<AnyCommand, 'writes' | 'service'>) =>
  async (outcome: Outcome): Promise<Outcome> => {
    if (!globals.curl || !writes || service === undefined || outcome?.document === undefined) return outcome;
    if (outcome.isDryRun) return outcome;
    const message = await renderText(outcome.document, { terminal: false, color: false, width: 80 });
    const comment = `# nothing to send: ${toPrintable(message.trimEnd()).replaceAll('\n', '\n# ')}`;
    return { data: comment, document: [raw(`${comment}\n`)], exitCode: outcome.exitCode ?? 0 };
  };

/** Converts the stop of a dry run to a result with its requests, or with the local change; throws other errors. */
export const dryRunResult =
  (globals: { readonly curl: boolean }): UserOutput['dryRunResult'] =>
  async (error, followUps = []) => {
    if (error instanceof LocalChangeStop) return localChangeResult(error.message, globals);
    if (!isDryRunStop(error)) throw error;
    const { calls } = error;
    if (globals.curl) {
      const lines = [...calls.map(({ curl }) => curl), ...followUps.map((each) => `# ${each}`)].join('\n');
      return { data: lines, document: [raw(`${lines}\n`)], isDryRun: true };
    }
    const requests = calls.map(({ request }) => request);
    const [only, ...others] = requests;
    const message =
      others.length === 0
        ? 'Dry run: nothing was sent. Request:'
        : `Dry run: nothing was sent. ${calls.length} requests, in order:`;
    return {
      isDryRun: true,
      ...(others.length === 0 ? { data: only } : { data: requests, rows: requests }),
      document: [text(message), ...requests.flatMap(requestBlocks), ...followUps.map((each) => text(each))],
    };
  };

function requestBlocks({ method, url, unixSocket, headers, body, bytes }: DryRunRequest): Block[] {
  return [
    fields([
      ['request', `${method} ${url}`],
      ['unix socket', unixSocket],
      ...Object.entries(headers),
      ['body', bytes === undefined ? undefined : `${bytes} bytes`],
    ]),
    ...(body === undefined ? [] : [raw(`${typeof body === 'string' ? body : formatJson(body, 2)}\n`)]),
  ];
}

function localChangeResult(change: string, { curl }: { readonly curl: boolean }): DryRunResult<DryRunData> {
  if (curl) {
    const line = `# no change would be sent; ${change}`;
    return { data: line, document: [raw(`${line}\n`)], isDryRun: true };
  }
  return {
    data: { change },
    document: [text(`Dry run: nothing was changed. On this machine ${change}.`)],
    isDryRun: true,
  };
}
