import type { Probe } from '../api/probe.ts';
import { command, flag } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { isWatching, watchFlags } from '../command/watch-flags.ts';
import { type Kind, kinds, LanyardError, MissingSettingError, usage } from '../errors.ts';
import { bad, dim, good, listTable, type StyledText, text, warn } from '../output/document.ts';
import { relativeTime } from '../output/humanize.ts';
import type { Result } from '../output/result.ts';
import { showChanges } from '../watch/show-changes.ts';
import { type ServiceName, serviceNames } from '../wire/services.ts';

interface Finding {
  readonly service: ServiceName;
  /** Null: no address is set. */
  readonly address: string | null;
  /** Where the address is set. */
  readonly from: string | null;
  readonly state: Probe['state'] | 'not set';
  /** Null: unknown. */
  readonly product: string | null;
  readonly version: string | null;
  readonly token: Probe['token'];
  /** ISO 8601; null: unlimited, or unknown. */
  readonly tokenValidUntil: string | null;
  /** Why the service or its token cannot be used. */
  readonly problem: string | null;
  /** What to do next, if the service or its token cannot be used. */
  readonly hint: string | null;
}

interface ServiceCheck {
  readonly finding: Finding;
  readonly tokenKind: Kind | null;
}

/** Milliseconds between checks of `--watch`. */
const defaultIntervalMs = 10_000;

const nextStep =
  'Run `lanyard dev` for embedded services, `lanyard profile put NAME secrets.address=URL` for others, or `lanyard profile import` to use the environment.';

export default command({
  description:
    'Queries the state, product, version and token of each configured service; of several servers, the first available one. The exit code is the first that applies to any service: 7 unreachable; 8 sealed, not initialized or without a database; 1 another service responds or a request fails; with --check also 4, the token is not valid.',
  examples: ['lanyard status', 'lanyard status --check', 'lanyard status -o json', 'lanyard status --watch'],
  flags: {
    check: flag.boolean('fail unless all configured services and their tokens are usable'),
    ...watchFlags,
  },
  async run({ flags }, ctx) {
    const checkAll = () => Promise.all(serviceNames.map((service) => checkService(service, ctx)));
    const findingsOf = (checked: readonly ServiceCheck[]) => checked.map(({ finding }) => finding);
    if (isWatching(flags, { check: flags.check })) {
      const source = {
        read: async () => ({ value: findingsOf(await checkAll()) }),
        intervalMs: defaultIntervalMs,
      };
      return showChanges(ctx, source, flags, {
        result: (findings) => findingsResult(findings, ctx.system.clock()),
        absent: 'no service is configured',
      });
    }
    const checked = await checkAll();
    const findings = findingsOf(checked);
    if (findings.every(({ state }) => state === 'not set')) {
      if (flags.check) throw usage('no service is configured', { hint: nextStep });
      ctx.output.note(`no service is configured. ${nextStep}`);
    }
    return { ...findingsResult(findings, ctx.system.clock()), exitCode: exitCode(checked, flags.check) };
  },
});

function findingsResult(findings: readonly Finding[], now: Date): Result<readonly Finding[]> {
  return {
    data: findings,
    rows: findings,
    document: [
      listTable(findings, undefined, {
        SERVICE: ({ service }) => service,
        ADDRESS: { shrinkPriority: 1, cell: ({ address }) => address },
        STATE: stateText,
        PRODUCT: {
          optional: 2,
          cell: ({ product, version }) =>
            [product, version].filter((part) => part !== null).join(' ') || null,
        },
        TOKEN: (finding) => tokenText(finding, now),
        FROM: { optional: 3, cell: ({ from }) => from },
      }),
      ...findings
        .filter(({ problem, hint }) => problem !== null || hint !== null)
        .map(({ service, token, problem: found, hint }) => {
          const problem = found ?? (token === 'none' ? 'no token' : null);
          return text(`${service}: ${[problem, hint].filter(Boolean).join('. ')}`);
        }),
    ],
  };
}

async function checkService(service: ServiceName, ctx: Context): Promise<ServiceCheck> {
  // All fields are always present, in the order of the output.
  const emptyFinding: Finding = {
    service,
    address: null,
    from: null,
    state: 'not set',
    product: null,
    version: null,
    token: 'none',
    tokenValidUntil: null,
    problem: null,
    hint: null,
  };
  try {
    const { addressFrom: from } = await ctx.api.settings(service);
    const probe = await ctx.api.probe(service);
    const { address, tokenKind, state, product, version, token, tokenValidUntil, problem } = probe;
    const found = { state, product, version, token, tokenValidUntil, problem };
    const hint = stateHints[state]?.(from) ?? probe.tokenHint;
    const repeated = hint && (await ctx.output.repeatFlags(hint));
    return { finding: { ...emptyFinding, address, from, ...found, hint: repeated }, tokenKind };
  } catch (error) {
    if (!(error instanceof LanyardError) || error.kind !== 'usage') throw error;
    const finding: Finding =
      error instanceof MissingSettingError
        ? emptyFinding
        : { ...emptyFinding, state: 'failed', problem: error.message };
    return { finding, tokenKind: null };
  }
}

/** What to do about a state; `from` is where the address is set. */
const stateHints: { readonly [S in Probe['state']]?: (from: string) => string } = {
  sealed: () => 'Run `lanyard secrets unseal`.',
  'not initialized': () => 'Run `lanyard secrets init`.',
  'database down': () => 'Check the database of the service.',
  unreachable: (from) => `Check that the service is running and that its address (${from}) is correct.`,
  'wrong service': (from) => `Correct the address (${from}).`,
};

function exitCode(checked: readonly ServiceCheck[], strict: boolean): number {
  const states = new Set(checked.map(({ finding }) => finding.state));
  const unavailable = ['sealed', 'not initialized', 'database down'] as const;
  if (states.has('unreachable')) return kinds.unreachable.code;
  if (unavailable.some((state) => states.has(state))) return kinds.unavailable.code;
  if (states.has('failed') || states.has('wrong service')) return kinds.failure.code;
  if (!strict) return 0;
  // A standby with a problem other than its token serves no requests.
  if (
    checked.some(
      ({ finding, tokenKind }) =>
        finding.state === 'standby' && finding.problem !== null && tokenKind === null,
    )
  )
    return kinds.unavailable.code;
  const ofTokens = checked.flatMap(({ tokenKind }) => (tokenKind === null ? [] : [kinds[tokenKind].code]));
  return ofTokens.length === 0 ? 0 : Math.min(...ofTokens);
}

function stateText({ state }: Finding): StyledText {
  if (state === 'ok') return [good('ok')];
  if (state === 'not set') return [dim('not set')];
  return [state === 'standby' ? warn(state) : bad(state)];
}

function tokenText({ service, token, tokenValidUntil }: Finding, now: Date): StyledText {
  if (token === 'not accepted' || token === 'expired') return [bad(token)];
  if (token !== 'valid') return [dim(token)];
  // The box registry does not return the expiry of a token.
  if (service === 'box') return [good('valid')];
  if (tokenValidUntil === null) return [good('valid'), ', unlimited'];
  return [good('valid'), `, expires ${relativeTime((Date.parse(tokenValidUntil) - now.getTime()) / 1000)}`];
}
