import { type KeyObject, randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Json } from '../../src/wire/json.ts';
import { type ServiceName, serviceNames } from '../../src/wire/services.ts';
import { rsaPair } from '../support/keys.ts';
import { parsedJson } from '../support/parsed-json.ts';
import { has } from '../support/require.ts';
import { type Home, home, type RunOptions as MainOptions, type Ran } from '../support/run.ts';
import { type Shape, shapeOf } from './shape.ts';
import { loginUrlIn, type SignIn } from './sign-in.ts';
import type { Identity, Step } from './step.ts';

/** One service that the scenario is run against. */
export interface Target {
  readonly address: string;
  /** All addresses, where the profile has several. */
  readonly addresses?: readonly string[];
  /** Without one, steps of the identity `admin` are run without a token. */
  readonly token?: string;
  /** The product, as in the names of recordings: `lanyard`, `openbao`. */
  readonly product: string;
}

export interface RunOptions {
  /** Services without a target are left out. */
  readonly targets: Partial<Readonly<Record<ServiceName, Target>>>;
  /** Also run the steps that write. */
  readonly write: boolean;
  /** The prefix of all names; random unless given. */
  readonly run?: string;
  /** Values that steps need and a run cannot make: `owner` and `boxPassword`. */
  readonly values?: Readonly<Record<string, string>>;
  /** Variables for every command line: TLS settings, namespaces. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called before a step is run, and with undefined after the last. */
  readonly onStep?: (step: Step | undefined) => void;
  readonly onOutcome?: (outcome: Outcome) => void;
  readonly clock?: () => Date;
  /** No pauses between the attempts of a call. */
  readonly noPauses?: boolean;
  /** Exit codes after which a command line is run again, as its user would, up to five times. */
  readonly repeatedCodes?: readonly number[];
  /** Called before a step is run, with ways to run its command line any number of times, and to replace `{name}`. */
  readonly beforeStep?: (
    step: Step,
    once: RunOnce,
    at: Home,
    fill: (text: string) => string,
  ) => Promise<void>;
  /** The same, called after the step was run. */
  readonly afterStep?: (step: Step, once: RunOnce, at: Home) => Promise<void>;
  /** What a step prints, for its values, where its own output is missing. */
  readonly output?: (step: Step) => Json | undefined;
  readonly signal?: AbortSignal;
  /** Completes the logins of steps that wait for a browser; without it they are not completed. */
  readonly signIn?: (url: string, who: SignIn) => Promise<void>;
}

/** Runs the command line of a step, with more flags and variables. */
export type RunOnce = (more: {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The output format, instead of json. */
  readonly format?: string;
  /** Changes the words before `--`. */
  readonly words?: (words: readonly string[]) => readonly string[];
  /** A terminal, other input, streams of the caller. */
  readonly main?: Pick<
    MainOptions,
    'columns' | 'stdin' | 'typed' | 'stdout' | 'onStderr' | 'signal' | 'keyring' | 'inventedResponses'
  >;
}) => Promise<Ran>;

/** What a step did. */
export interface Outcome {
  readonly step: Step;
  /** The exit code; undefined: the step was skipped. */
  readonly code: number | undefined;
  /** The shape of its JSON output; `none` where it failed. */
  readonly shape: Shape;
  readonly stdout: string;
  readonly stderr: string;
  /** Why the step was skipped. */
  readonly skipped?: string;
}

export interface Run {
  readonly outcomes: readonly Outcome[];
  /** Every secret that the run was given or made. */
  readonly secrets: readonly string[];
  /** The prefix of all names. */
  readonly run: string;
}

const prefix = 'lanyard-conformance';

/** A prefix of names for a run. */
const newRun = (): string => `${prefix}-${randomBytes(4).toString('hex')}`;

/** The prefix of names in recordings and in runs that replay them. */
export const recordedRun = `${prefix}-run`;

/**
 * Runs the scenario: each step as a command line through `main`, with a profile made by `lanyard profile put`.
 * Names are new for each run, and what it made is removed at its end, also after a failure.
 *
 * @throws Error a profile could not be written; a step that fails is an outcome
 */
export async function runScenario(steps: readonly Step[], options: RunOptions): Promise<Run> {
  const at = home();
  Object.assign(at.env, options.env);
  const run = options.run ?? newRun();
  const start = (options.clock ?? (() => new Date()))();
  const issuer = newIssuer();
  const password = `Aa1-${randomBytes(9).toString('base64url')}`;
  const values = new Map<string, string>(
    Object.entries({ ...options.values, run, password, ...issuer.values }),
  );
  const secrets = new Set<string>([
    password,
    ...(options.values?.boxPassword ? [options.values.boxPassword] : []),
  ]);
  for (const [name, claims] of Object.entries(audiences)) {
    const jwt = await issuer.sign(claims, start);
    values.set(name, jwt);
    secrets.add(jwt);
  }
  const outcomes: Outcome[] = [];
  try {
    for (const service of serviceNames) {
      const target = options.targets[service];
      if (!target) continue;
      if (target.token !== undefined) secrets.add(target.token);
      if (target.token !== undefined) values.set(`${service}Token`, target.token);
      const { hostname, port, protocol } = new URL(target.address);
      values.set('host', hostname);
      values.set('port', port || (protocol === 'https:' ? '443' : '80'));
      values.delete('limitedToken');
      values.delete('limitedAccessor');
      await makeProfiles(at, service, target);
      const own = steps.filter((step) => step.service === service && isWanted(step, options.write, target));
      const runAll = async (kind: (step: Step) => boolean): Promise<void> => {
        for (const step of own.filter(kind)) {
          if (options.signal?.aborted && step.kind !== 'cleanup') return;
          const outcome = await runStep(at, step, values, secrets, options);
          outcomes.push(outcome);
          options.onOutcome?.(outcome);
        }
      };
      try {
        await runAll(({ kind }) => kind !== 'cleanup');
      } finally {
        await runAll(({ kind }) => kind === 'cleanup');
      }
    }
    options.onStep?.(undefined);
    return { outcomes, secrets: [...secrets], run };
  } finally {
    at.remove();
  }
}

const isWanted = (step: Step, write: boolean, { product }: Target): boolean =>
  (write || step.kind === 'read') && (step.only === undefined || step.only.includes(product));

/** Claims of the two tokens of an issuer that the run has. */
const audiences = {
  jwt: { aud: 'conformance', sub: 'conformance' },
  otherJwt: { aud: 'other', sub: 'conformance' },
} as const;

function newIssuer() {
  const { publicKey, privateKey } = rsaPair();
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  return {
    values: { issuerKey: pem, issuerKeyJson: JSON.stringify(pem).slice(1, -1) },
    sign: (claims: object, now: Date): Promise<string> => sign(claims, now, privateKey),
  };
}

function sign(claims: object, now: Date, key: KeyObject): Promise<string> {
  const iat = Math.trunc(now.getTime() / 1000);
  return new SignJWT({ iat, exp: iat + 600, ...claims }).setProtectedHeader({ alg: 'RS256' }).sign(key);
}

/** A token that no service has, in the form that the products' tokens have. */
const invalidToken = (service: ServiceName): string =>
  service === 'accounts'
    ? 'at_0000000000_s1doesnotexist'
    : service === 'secrets'
      ? 's.doesnotexistdoesnotexist'
      : '00000000-0000-4000-8000-00000000dead';

const tokenVariable = 'CONFORMANCE_TOKEN';

/** One profile for each identity. */
async function makeProfiles(at: Home, service: ServiceName, target: Target): Promise<void> {
  const { address, addresses } = target;
  const place = addresses ? `addresses=${addresses.join(',')}` : `address=${address}`;
  const settings: Readonly<Record<Identity, readonly string[]>> = {
    admin: [`${service}.token=env://${tokenVariable}`],
    limited: [`${service}.token=env://${tokenVariable}`],
    invalid: [`${service}.token=env://${tokenVariable}`],
    anonymous: [],
    login: [],
  };
  for (const [identity, more] of Object.entries(settings)) {
    const argv = ['profile', 'put', `${service}-${identity}`, `${service}.${place}`, ...more];
    const { code, stderr } = await at.run(argv);
    if (code !== 0) throw new Error(`profile put: ${stderr}`);
  }
}

/** The identity `admin` without a token, where the run was given none, is `anonymous`. */
function identityOf(step: Step, values: ReadonlyMap<string, string>): [string, Record<string, string>] {
  if (step.as === 'invalid') return ['invalid', { [tokenVariable]: invalidToken(step.service) }];
  const token = { admin: values.get(`${step.service}Token`), limited: values.get('limitedToken') };
  if (step.as !== 'admin' && step.as !== 'limited') return [step.as, {}];
  const found = token[step.as];
  return found === undefined ? ['anonymous', {}] : [step.as, { [tokenVariable]: found }];
}

class Unset extends Error {}

async function runStep(
  at: Home,
  step: Step,
  values: Map<string, string>,
  secrets: Set<string>,
  options: RunOptions,
): Promise<Outcome> {
  const skipped = (why: string): Outcome => ({
    step,
    code: undefined,
    shape: 'none',
    stdout: '',
    stderr: '',
    skipped: why,
  });
  const fill = (text: string): string =>
    text.replace(/\{([a-z][a-zA-Z]*)\}/g, (_all, name: string) => {
      const value = values.get(name);
      if (value === undefined) throw new Unset(name);
      return value;
    });
  if (step.program !== undefined && !has(step.program)) return skipped(`${step.program} is not installed`);
  try {
    for (const name of [...(step.needs ?? []), ...(step.as === 'limited' ? ['limitedToken'] : [])])
      fill(`{${name}}`);
    const [identity, token] =
      step.token === undefined ? identityOf(step, values) : ['admin', { [tokenVariable]: fill(step.token) }];
    const dashes = step.argv.indexOf('--');
    const end = dashes < 0 ? step.argv.length : dashes;
    const profile = ['--profile', `${step.service}-${identity}`];
    const [words, rest] = [step.argv.slice(0, end).map(fill), step.argv.slice(end).map(fill)];
    for (const [name, content] of Object.entries(step.files ?? {})) at.write(name, fill(content));
    const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text)]));
    const stdin = step.stdin === undefined ? {} : { stdin: fill(step.stdin) };
    const once: RunOnce = (more) => {
      const format = more.format ?? (step.text ? undefined : 'json');
      const line = [
        ...(more.words ?? ((same) => same))(words),
        ...(format === undefined ? [] : ['--output', format]),
        ...rest,
      ];
      return at.run([...profile, ...(more.flags ?? []), ...line], {
        ...stdin,
        ...more.main,
        env: { ...token, ...env, ...more.env },
        ...(options.clock ? { clock: options.clock } : {}),
        ...(options.noPauses ? { random: (length: number) => new Uint8Array(length) } : {}),
      });
    };
    await options.beforeStep?.(step, once, at, fill);
    options.onStep?.(step);
    const runOnce = (): Promise<Ran> =>
      step.signIn && options.signIn ? onceSignedIn(once, step.signIn, options.signIn) : once({});
    const ran = await repeated(runOnce, options.repeatedCodes);
    await options.afterStep?.(step, once, at);
    const printed = ran.code === 0 || ran.stdout !== '' ? parsedJson(ran.stdout) : undefined;
    const output = printed ?? options.output?.(step);
    for (const [name, path] of Object.entries(step.save ?? {})) {
      const value = valueAt(output, path);
      if (value === undefined) values.delete(name);
      else values.set(name, value);
      if (value !== undefined && step.secrets?.includes(name)) secrets.add(value);
    }
    const shape = step.text
      ? ran.stdout === ''
        ? 'none'
        : 'text'
      : shapeOf(parsedJson(ran.stdout.replaceAll(values.get('run') ?? '', recordedRun)));
    const { code, stdout, stderr } = ran;
    return { step, code, shape: code === 0 ? shape : 'none', stdout, stderr };
  } catch (error) {
    if (error instanceof Unset) return skipped(`there is no value of ${error.message}`);
    throw error;
  }
}

/** Runs a command line again while it ends with one of the exit codes, up to five times. */
export async function repeated(run: () => Promise<Ran>, codes: readonly number[] = []): Promise<Ran> {
  for (let tries = 1; ; tries += 1) {
    const ran = await run();
    if (tries > 5 || !codes.includes(ran.code)) return ran;
  }
}

/** Runs a step, and signs in at the URL that it prints. */
async function onceSignedIn(
  once: RunOnce,
  who: SignIn,
  signIn: NonNullable<RunOptions['signIn']>,
): Promise<Ran> {
  let said = '';
  let signingIn: Promise<void> | undefined;
  const ran = await once({
    main: {
      onStderr(text) {
        said += text;
        const url = loginUrlIn(said);
        if (url === undefined || signingIn) return;
        signingIn = signIn(url, who);
        // Awaited when the step has ended.
        signingIn.catch(() => undefined);
      },
    },
  });
  await signingIn;
  return ran;
}

/** The text or number at a path such as `data.id` or `[0].ID`. */
function valueAt(value: Json | undefined, path: string): string | undefined {
  let found: unknown = value;
  for (const name of path.split(/[.[\]]+/).filter((part) => part !== ''))
    found =
      typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[name] : undefined;
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}
