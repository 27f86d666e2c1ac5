import type { Profile } from '../config/profile.ts';
import { exitCodeOf, type Kind, kinds, LanyardError, notFound, usage } from '../errors.ts';
import { bad, type Document, strong, text } from '../output/document.ts';
import type { DryRunResult, Result } from '../output/result.ts';
import { memberOf } from '../wire/objects.ts';
import { type ServiceName, serviceNames } from '../wire/services.ts';
import type { Outcome } from './command.ts';
import type { Context } from './context.ts';

/** What happened with one service of a profile. */
export interface ServiceOutcome<Status extends string> {
  readonly service: ServiceName;
  /** `failed`: see `error`. `unconfirmed`: partially done; the message says what is not. */
  readonly status: Status | 'failed' | 'unconfirmed';
  /** What happened, for a person. */
  readonly message: string;
  readonly error?: {
    /** The kind of the error, such as `forbidden`. */
    readonly code: Kind;
    readonly hint: string | null;
  };
}

/**
 * Does the same for several services, one after the other, and shows each result as soon as it is known. An error of
 * one service does not stop the others; an interruption does.
 *
 * @returns the exit code: 0 for success, 9 if only some succeeded, else the code of the first error.
 */
export async function forEachService<Status extends string>(
  services: readonly ServiceName[],
  work: (service: ServiceName) => Promise<ServiceOutcome<Status>>,
  ctx: Context,
): Promise<Outcome<readonly ServiceOutcome<Status>[]> | DryRunResult> {
  if (ctx.output.isDryRun) return dryRunEach(services, work, String, ctx);
  const rows = await ctx.output.streamList();
  const codes: number[] = [];
  for (const [index, service] of services.entries()) {
    const done = await work(service).catch(async (error: unknown) => {
      if (!(error instanceof LanyardError) || error.kind === 'interrupted') throw error;
      codes.push(exitCodeOf(error, ctx.system.signal));
      return failed<Status>(service, error, ctx);
    });
    if (done.status !== 'failed') codes.push(done.status === 'unconfirmed' ? kinds.unknown.code : 0);
    await rows.add(done, () => line(done), index);
  }
  await rows.end();
  return { exitCode: exitCodeOfAll(codes) };
}

/** The exit code of several parts: 9 if only some succeeded, else the first one that is not 0. */
export function exitCodeOfAll(codes: readonly number[]): number {
  const failures = codes.filter((each) => each !== 0);
  const [first = 0] = failures;
  return failures.length < codes.length && first !== 0 ? kinds.unknown.code : first;
}

async function failed<Status extends string>(
  service: ServiceName,
  { message, details, hint, kind }: LanyardError,
  ctx: Context,
): Promise<ServiceOutcome<Status>> {
  const line = hint === undefined ? null : await ctx.output.repeatFlags(hint);
  return {
    service,
    status: 'failed',
    message: [message, ...details].join('; '),
    error: { code: kind, hint: line },
  };
}

const line = ({ service, status, message, error }: ServiceOutcome<string>): Document => [
  text(strong(service), ': ', ...(status === 'failed' ? [bad('failed'), `: ${message}`] : [message])),
  ...(error?.hint ? [text('  ', error.hint)] : []),
];

/** A dry run of the same work for several items: shows the requests of all, an error of one is a warning. */
export async function dryRunEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  nameOf: (item: Item) => string,
  ctx: Context,
): Promise<DryRunResult> {
  const shown: Result[] = [];
  for (const item of items)
    try {
      await work(item);
    } catch (error) {
      if (!(error instanceof LanyardError)) shown.push(await ctx.output.dryRunResult(error));
      else ctx.output.warn(`${nameOf(item)}: ${error.message}`);
    }
  const data = shown.map((result) => result.data);
  return { data, rows: data, document: shown.flatMap(({ document }) => document), isDryRun: true };
}

/** The profile of the command line, else the active one. @throws LanyardError usage, not found */
export async function currentProfile(
  act: string,
  ctx: Pick<Context, 'profile'>,
): Promise<{ readonly name: string; readonly profile: Profile }> {
  const { active, profiles } = await ctx.profile.read();
  const name = ctx.profile.name ?? active;
  const profile = name === undefined ? undefined : memberOf(profiles, name);
  if (name !== undefined && profile !== undefined) return { name, profile };
  const hint = 'Run `lanyard profile list` for the existing profiles.';
  if (ctx.profile.name !== undefined) throw notFound(`profile "${ctx.profile.name}" not found`, { hint });
  throw usage(`cannot ${act}: no profile is active`, { hint: `${hint} Select one with --profile.` });
}

/** The services of arguments, in the usual order; none: all. @throws LanyardError usage: not a service. */
export function selectServices(given: readonly string[]): readonly ServiceName[] {
  if (given.length === 0) return serviceNames;
  const unknown = given.find((name) => !serviceNames.some((each) => each === name));
  if (unknown !== undefined)
    throw usage(`invalid service "${unknown}": expected one of ${serviceNames.join(', ')}`);
  return serviceNames.filter((name) => given.includes(name));
}
