import { isMissingLease } from '../../../api/conditions/secrets.ts';
import type { Credentials, SecretsClient } from '../../../api/secrets.ts';
import type { ClientOptions } from '../../../command/api.ts';
import { parsePairs, showWarnings } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { SourceValues } from '../../../command/supervised-run.ts';
import { LanyardError, usage } from '../../../errors.ts';
import { formatTimestamp } from '../../../output/humanize.ts';
import type { Json } from '../../../wire/json.ts';
import { receivedSecrets } from '../../../wire/received-secrets.ts';
import {
  type CredentialsRequest,
  credentialsRequest,
  generate,
  lifetimeOf,
} from '../../secrets/lib/credentials.ts';
import { type RenewalEnd, renewUntilEnd } from '../../secrets/lib/renewal.ts';
import { toText } from './sources.ts';

/** Which credentials to request, of `MOUNT/ROLE [K=V]... [| PREFIX]`. */
export interface CredentialsSpec {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Before the names of the fields. */
  readonly prefix: string;
}

/** @throws LanyardError usage */
export function parseCredentialsSpec(given: string): CredentialsSpec {
  const at = given.lastIndexOf('|');
  const prefix = at < 0 ? '' : given.slice(at + 1).trim();
  const [path, ...parameters] = (at < 0 ? given : given.slice(0, at)).split(/\s+/).filter(Boolean);
  if (path === undefined || (at >= 0 && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(prefix)))
    throw usage(`invalid --creds "${given}"`, {
      hint: "Expected MOUNT/ROLE [K=V]... [| PREFIX], such as 'pki/web common_name=web.example.com | TLS_'.",
    });
  const pairs = parsePairs(parameters).map(({ key, value }) => [key, value] as const);
  return { path, parameters: Object.fromEntries(pairs), prefix };
}

type RunContext = Pick<Context, 'api' | 'output' | 'system'>;

/** Credentials that a command runs with. */
interface Held {
  readonly items: SourceValues['items'];
  /** They end soon, and cannot be renewed. */
  isEnding: boolean;
}

/** A lease to revoke. */
interface Lease {
  readonly path: string;
  /** In milliseconds; undefined: it is renewed. */
  expiresMs: number | undefined;
}

/** The part of the last lifetime after which credentials are replaced; at random between these. */
const [earliest, latest] = [0.67, 0.85];
/** Milliseconds between requests for the same credentials; the second is the limit of timers. */
const [minimumMs, maximumMs] = [1000, 2 ** 31 - 1];
/** How long requests may continue after a signal: what was generated must be revoked. */
const completing: ClientOptions = { graceMs: 10_000 };

/**
 * Credentials of engines for a command: requested with the first read, renewed while it runs, and revoked at its end
 * (docs/adr/0100-credentials-of-a-run.md).
 */
export class RunCredentials {
  readonly #specs: readonly CredentialsSpec[];
  readonly #isWatched: boolean;
  readonly #ctx: RunContext;
  readonly #ended = new AbortController();
  /** Of the calls that the end aborts. */
  readonly #whileRunning: ClientOptions = { signal: this.#ended.signal, retries: 0 };
  readonly #requests = new Map<CredentialsSpec, CredentialsRequest>();
  readonly #held = new Map<CredentialsSpec, Held>();
  readonly #leases = new Map<string, Lease>();
  /** Renewals, and requests that were sent. */
  readonly #pending = new Set<Promise<unknown>>();
  #report: (source: number) => void = () => undefined;

  /** @param isWatched credentials that end are replaced; else that is a warning. */
  constructor(specs: readonly CredentialsSpec[], isWatched: boolean, ctx: RunContext) {
    this.#specs = specs;
    this.#isWatched = isWatched;
    this.#ctx = ctx;
  }

  /**
   * The current credentials in the order of the specifications; new ones where there are none, or where they end.
   *
   * @throws LanyardError of a request: what was generated before it is kept.
   */
  async read(): Promise<readonly SourceValues[]> {
    const values: SourceValues[] = [];
    for (const spec of this.#specs) {
      const held = this.#held.get(spec);
      const current = held === undefined || held.isEnding ? await this.#pend(this.#generate(spec)) : held;
      values.push({ name: spec.path, items: current.items });
    }
    return values;
  }

  /** Reports the number of a specification, from 0, whose credentials must be replaced, until the signal is aborted. */
  follow(report: (source: number) => void, signal: AbortSignal): Promise<void> {
    this.#report = report;
    for (const [index, spec] of this.#specs.entries()) if (this.#held.get(spec)?.isEnding) report(index);
    return new Promise((done) => {
      if (signal.aborted) done();
      signal.addEventListener('abort', () => done(), { once: true });
    });
  }

  /** Ends the renewals and revokes the leases. A lease that cannot be revoked is a warning. */
  async close(): Promise<void> {
    this.#ended.abort();
    const settled = await Promise.allSettled(this.#pending);
    this.#forgetExpired();
    if (this.#leases.size > 0) {
      const secrets = await this.#ctx.api.secrets(completing);
      await Promise.all([...this.#leases].map(([id, { path }]) => this.#revoke(secrets, id, path)));
    }
    const defect = settled.find(
      (each) => each.status === 'rejected' && !(each.reason instanceof LanyardError),
    );
    if (defect?.status === 'rejected') throw defect.reason;
  }

  async #revoke(secrets: SecretsClient, id: string, path: string): Promise<void> {
    try {
      await secrets.revokeLease({ lease_id: id, sync: true });
    } catch (error) {
      if (!(error instanceof LanyardError)) throw error;
      const revoke = await this.#ctx.output.repeatFlags(`\`lanyard secrets lease revoke ${id}\``);
      this.#ctx.output.warn(
        `the credentials of ${path} were not revoked: ${error.message}; revoke them with ${revoke}`,
      );
    }
  }

  async #generate(spec: CredentialsSpec): Promise<Held> {
    const { api, output, system } = this.#ctx;
    const secrets = await api.secrets(completing);
    const request =
      this.#requests.get(spec) ??
      (await credentialsRequest(secrets, spec.path, { fields: spec.parameters, isSecret: false }));
    this.#requests.set(spec, request);
    const credentials = await generate(secrets, request);
    this.#forgetExpired();
    if (credentials.lease_id)
      this.#leases.set(credentials.lease_id, { path: spec.path, expiresMs: undefined });
    for (const secret of receivedSecrets(credentials)) output.mask(secret);
    showWarnings(output, credentials);
    const held = { items: itemsOf(credentials, spec.prefix), isEnding: false };
    this.#held.set(spec, held);
    const seconds = lifetimeOf(credentials, system.clock());
    if (seconds !== undefined) void this.#pend(this.#keep(spec, held, credentials, seconds));
    return held;
  }

  /** Renews credentials until they can be extended no more, and has them replaced before they end. */
  async #keep(spec: CredentialsSpec, held: Held, credentials: Credentials, seconds: number): Promise<void> {
    const { output, system } = this.#ctx;
    const id = credentials.lease_id;
    const isRenewable = Boolean(id) && credentials.renewable === true;
    const end = isRenewable
      ? await this.#renew(spec, id ?? '', seconds)
      : { expiresMs: system.clock().getTime() + seconds * 1000, cause: undefined };
    if (end === undefined) return;
    const lease = this.#leases.get(id ?? '');
    if (lease) lease.expiresMs = end.expiresMs;
    const share = earliest + ((latest - earliest) * (system.random(1)[0] ?? 0)) / 256;
    const leftMs = end.expiresMs - system.clock().getTime();
    await system.sleep(Math.min(Math.max(minimumMs, leftMs * share), maximumMs), this.#ended.signal);
    if (this.#ended.signal.aborted) return;
    held.isEnding = true;
    if (this.#isWatched) return this.#report(this.#specs.indexOf(spec));
    const time = formatTimestamp(new Date(end.expiresMs));
    const what =
      end.cause === undefined
        ? `the credentials of ${spec.path} expire at ${time}`
        : `the lease of ${spec.path} can no longer be renewed and expires at ${time}: ${end.cause}`;
    output.warn(`${what}; run the command with --watch restart to replace them`);
  }

  async #renew(spec: CredentialsSpec, id: string, seconds: number): Promise<RenewalEnd | undefined> {
    const secrets = await this.#ctx.api.secrets(this.#whileRunning);
    return renewUntilEnd(
      seconds,
      {
        what: `lease of ${spec.path}`,
        renew: async () => (await secrets.renewLease({ lease_id: id })).body,
        isGone: isMissingLease,
        ended: this.#ended.signal,
      },
      this.#ctx,
    );
  }

  #forgetExpired(): void {
    const nowMs = this.#ctx.system.clock().getTime();
    for (const [id, { expiresMs }] of this.#leases)
      if (expiresMs !== undefined && expiresMs <= nowMs) this.#leases.delete(id);
  }

  #pend<Value>(work: Promise<Value>): Promise<Value> {
    this.#pending.add(work);
    work.then(
      () => this.#pending.delete(work),
      (error: unknown) => error instanceof LanyardError && this.#pending.delete(work),
    );
    return work;
  }
}

/** The fields of credentials as items; what is not text becomes JSON. */
const itemsOf = ({ data }: Credentials, prefix: string): SourceValues['items'] =>
  Object.fromEntries(
    Object.entries(data as Readonly<Record<string, Json>>).map(([name, value]) => [
      `${prefix}${name}`,
      toText(value),
    ]),
  );
