import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyCommand } from '../../src/command/command.ts';
import { tree } from '../../src/commands/tree.ts';
import { memoryStore } from '../../src/services/core/store/store.ts';
import { serviceNames } from '../../src/wire/services.ts';
import { localLines, token } from '../canary/local-lines.ts';
import { filesIn, restore } from '../canary/runner.ts';
import { type EmbeddedTargets, embeddedTargets, unusedTargets } from '../conformance/embedded.ts';
import { type RunOnce, runScenario } from '../conformance/run.ts';
import { scenario } from '../conformance/scenario.ts';
import type { Step } from '../conformance/step.ts';
import { localCommands } from '../facts/facts.ts';
import { everyObject, writeSet } from '../state/bench.ts';
import { imageContent, imageFile } from '../state/other-objects.ts';
import { type Home, home, type Ran } from '../support/run.ts';
import { isSoak } from '../support/soak.ts';
import { isCopy, isDeclared, isIndex, type Line } from './declared.ts';
import { changesBetween, type Listing, lister } from './listing.ts';

// Lists every file, profile, stored token and remote object before and after each command line, and compares what
// changed with what the command declares: `writes` and `changes` of src/command/command.ts.

const commands = new Map<string, AnyCommand>();
const store = memoryStore();
const temporary = process.env.TMPDIR;
let time = Date.now();
/** Nothing expires between two listings. */
const clock = (): Date => new Date(time++);
/** Below it is everything on this machine that a command may write to. */
let root: string;
/** For what is not: the keyring, the audit log of a service. */
let beside: string;
let keyring: string;
let running: EmbeddedTargets;
/** All services answer that they are unavailable, and call this. */
let unavailable: (() => void) | undefined;

/** The requests of the last command line that reached a service, each also with its body. */
const sent = new Set<string>();
const lineOf = (method: string, segments: readonly string[], query: URLSearchParams): string =>
  `${method} ${segments.join('/').replace(/^\/|\/$/g, '')} ${[...query].map((pair) => pair.join('=')).sort()}`;

function lineOfUrl(method: string, url: string): string {
  const { pathname, searchParams } = new URL(url);
  return lineOf(method, pathname.split('/').map(decodeURIComponent), searchParams);
}

/** The requests that `--dry-run -o json` shows, with their bodies where these are without secrets. */
const shownBy = (stdout: string): readonly string[] =>
  [JSON.parse(stdout || '[]')].flat().flatMap(({ method, url, body }) => {
    if (url === undefined) return [];
    const content = typeof body === 'object' ? JSON.stringify(body) : '';
    return `${lineOfUrl(method, url)}${content.includes('<redacted>') ? '' : content}`;
  });

/** The requests of the lines of `--curl`. */
const inCurl = (stdout: string): readonly string[] =>
  [...stdout.matchAll(/^curl (?:--head|--request (\S+)) [\s\S]*? '?(http\S+?)'?$/gm)].map(
    ([, method = 'HEAD', url = '']) => lineOfUrl(method, url),
  );

/** Operations that dry runs of every command send first. */
const preflight = /^GET v1\/(sys\/internal\/ui\/mounts\/|auth-methods scope_id=)/;

/** The secrets that a step is given: the token of its service, and values of the run. */
const secretsOf = ({ service, env = {}, stdin = '' }: Step, fill: (text: string) => string): string[] => [
  running.targets[service].token ?? 'no token',
  ...[...Object.values(env), stdin].filter((text) => /^\{(?!run\}$|method\})\w+\}.*$/.test(text)).map(fill),
];

beforeAll(async () => {
  for (const { path, load } of tree) commands.set(path, (await load()).default);
  running = await embeddedTargets({ store, clock });
  for (const service of Object.values(running.embedded.services)) {
    const { handle } = service;
    Object.assign(service, {
      handle: (request: Parameters<typeof handle>[0]) => {
        const line = lineOf(request.method, request.path.segments, request.query);
        sent.add(line);
        const json = request.json.bind(request);
        request.json = async () => {
          const body = await json();
          sent.add(`${line}${JSON.stringify(body)}`);
          return body;
        };
        if (!unavailable) return handle(request);
        unavailable();
        return Promise.resolve({ status: 503, headers: {}, body: Buffer.from('unavailable') });
      },
    });
  }
  root = mkdtempSync(join(tmpdir(), 'lanyard-changes-'));
  beside = mkdtempSync(join(tmpdir(), 'lanyard-beside-'));
  keyring = join(beside, 'keyring');
  mkdirSync(keyring);
  mkdirSync(join(root, 'runtime'), { mode: 0o700 });
  process.env.TMPDIR = root;
});
afterAll(async () => {
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
  await running.close();
  for (const directory of [root, beside]) rmSync(directory, { recursive: true, force: true });
});

/** The places of every XDG directory, and of temporary files. */
const environment = (): Record<string, string> => ({
  TMPDIR: root,
  XDG_RUNTIME_DIR: join(root, 'runtime'),
  ...Object.fromEntries(
    ['CACHE_HOME', 'CONFIG_HOME', 'DATA_HOME', 'STATE_HOME'].map((name) => [
      `XDG_${name}`,
      join(root, 'xdg', name),
    ]),
  ),
});

/** A keyring of files. */
const keyringProgram = [
  process.execPath,
  join(import.meta.dirname, '../unit/config/folder-keyring.ts'),
] as const;
const keyringEnv = (): Record<string, string> => ({ LANYARD_KEYRING: '', KEYRING: keyring });

const newHome = (): Home => {
  const at = home();
  Object.assign(at.env, environment());
  return at;
};

const listerOf = (at: Home, rows = store): (() => Listing) =>
  lister({ root, config: at.file('config'), keyring, store: rows });

/** What a command line changed that its command does not declare. */
function undeclared(
  changes: readonly string[],
  command: string,
  at: Home,
  line: Pick<Line, 'argv' | 'env' | 'profile'>,
): readonly string[] {
  const declared: Line = { ...line, path: command, command: commandOf(command), home: at.path, root };
  return changes.filter((change) => !isDeclared(change, declared));
}

function commandOf(path: string): AnyCommand {
  const found = commands.get(path);
  if (!found) throw new Error(`no command ${path}`);
  return found;
}

/** Creates objects of every kind that no step names. @returns the names of their rows in the listing */
async function bystanders(): Promise<ReadonlySet<string>> {
  const at = newHome();
  const list = listerOf(at);
  const before = list();
  for (const service of serviceNames) {
    at.env[`LANYARD_${service.toUpperCase()}_ADDR`] = running.targets[service].address;
    at.env[`LANYARD_${service.toUpperCase()}_TOKEN`] = running.targets[service].token ?? '';
  }
  at.write(imageFile, imageContent);
  // A template would answer for every query that is missing.
  const objects = everyObject().filter(({ spec }) => !('Template' in spec));
  writeSet({ at }, objects, { id: 'bystanders' });
  expect(await at.run(['apply', 'state', '--yes'])).toMatchObject({ code: 0 });
  const made = changesBetween(before, list());
  at.remove();
  return new Set(made.flatMap((each) => (/^\+ remote /.test(each) && !isIndex(each) ? [each.slice(2)] : [])));
}

/** Whether a command line did its work: a difference, or the exit code of a child, is no failure. */
const isDone = ({ command }: Step, code: number | undefined): boolean =>
  code === 0 ||
  (code === 10 && /^(plan|diff|apply)$/.test(command)) ||
  /^(run|registry lock|var lock|secrets token keep-alive)$/.test(command);

/** The steps that have other runs first: a successful step of each command and service, if any. In a soak all. */
const withOtherRuns: ReadonlySet<Step> = new Set(
  isSoak
    ? scenario
    : [...Map.groupBy(scenario, ({ command, service }) => `${command} ${service}`).values()].flatMap(
        (steps) => {
          const own = steps.filter(({ kind }) => kind !== 'prepare');
          const done = own.filter(({ code, kind }) => code === 0 && kind !== 'cleanup');
          return done.find(({ kind }) => kind === 'write') ?? done[0] ?? own[0] ?? [];
        },
      ),
);

/** A run of a command line before the real one, which must change nothing. */
interface OtherRun {
  readonly name: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** With the first request of the command line the services become unavailable, or it is interrupted. */
  readonly event?: 'unavailable' | 'interrupted';
  /** It succeeds, with tokens in the keyring, and changes what the command declares. */
  readonly isDone?: true;
  readonly applies: (step: Step, command: AnyCommand) => boolean;
}
const reachesService = ({ command }: Step): boolean => !localCommands.includes(command);
const otherRuns: readonly OtherRun[] = [
  { name: '--dry-run', flags: ['--dry-run'], applies: (_step, { writes }) => writes !== undefined },
  { name: '--curl', flags: ['--curl'], applies: (_step, { service }) => service !== undefined },
  {
    name: 'wrong token',
    env: { CONFORMANCE_TOKEN: '00000000-0000-4000-8000-00000000dead' },
    applies: ({ as }) => as === 'admin',
  },
  { name: 'connection refused', flags: ['--profile', 'down'], applies: reachesService },
  { name: 'service unavailable', event: 'unavailable', applies: ({ as }) => as === 'login' },
  { name: 'interrupted', event: 'interrupted', applies: reachesService },
  {
    name: 'with the keyring',
    isDone: true,
    applies: ({ as, command }) => as === 'login' && / (login|token create)$/.test(command),
  },
];

/** Commands whose dry run shows something else: a plan, a file that would be written, that nothing is to be done. */
const showsNoRequest =
  /^(apply|render|kv (copy|import|move)|ssh config|ssh host \w+|ssh trust|ci export|box publish|query put|secrets unseal|var import)$/;
/** The embedded services of this run cannot do it: test/commands/ssh/issuer.test.ts, secrets and registry/snapshot.test.ts, and below. */
const fails =
  /^(ssh doctor|ssh issuer (import|use|delete)|secrets init|(secrets|registry) snapshot restore)$/;

/**
 * What a dry run and a run that failed may leave. `apply` writes the record of the set before the first change; the
 * requests of a dry run are a result, which `--out` writes to a file.
 */
const isLeft = (change: string, { command, argv }: Step, code: number): boolean =>
  isIndex(change) ||
  (argv.includes('--out') &&
    !Object.hasOwn(commandOf(command).flags, 'out') &&
    change.endsWith(`/${argv[argv.indexOf('--out') + 1]}`)) ||
  (command === 'apply' && / file .*-record\.json$/.test(change)) ||
  // A logout that could not be confirmed removes the stored token.
  (code === 9 &&
    /\b(logout|token delete)$/.test(command) &&
    /^. (token|config|file .*\/config\/)/.test(change));

/** A request without times, which are those of the run. */
const withoutTimes = (request: string): string => request.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

test('a command changes what it declares; a dry run and a failure change nothing', async () => {
  const others = await bystanders();
  const violations: string[] = [];
  let list!: () => Listing;
  let before!: Listing;
  let changes: readonly string[] = [];
  let at!: Home;
  /** The requests that the dry runs of a step showed. */
  const shown = new Map<Step, { readonly name: string; readonly requests: readonly string[] }[]>();
  /** @param code of a run that should change nothing */
  const judge = (step: Step, found: readonly string[], what = '', code?: number): void => {
    const own = found.filter((change) => !isCopy(change));
    const foreign = own.filter((change) => !change.startsWith('+') && others.has(change.slice(2)));
    const { argv, env = {} } = step;
    const profile = `${step.service}-${step.as}`;
    const wrong =
      code === undefined
        ? undeclared(own, step.command, at, { argv, env, profile })
        : own.filter((change) => !isLeft(change, step, code));
    for (const change of new Set([...foreign, ...wrong])) violations.push(`${step.name} ${what}: ${change}`);
  };

  const judgeDryRun = (
    step: Step,
    name: string,
    { code, stdout, stderr }: Ran,
    fill: (text: string) => string,
  ): void => {
    // `ssh trust --dry-run` shows what it read.
    const { writes, flags = {} } = commandOf(step.command);
    const mayRead = writes === 'after reads' || flags.dryRun !== undefined;
    const wrong = [...sent].filter((request) => !preflight.test(request) && !mayRead);
    if (step.code === 0 && !isDone(step, code)) wrong.push(`exit code ${code}`);
    for (const secret of secretsOf(step, fill))
      if (`${stdout}${stderr}`.includes(secret)) wrong.push('shows a secret');
    violations.push(...wrong.map((each) => `${step.name} ${name}: ${each}`));
    if (code !== 0) return;
    const requests = name === '--curl' ? inCurl(stdout) : shownBy(stdout);
    shown.set(step, [...(shown.get(step) ?? []), { name, requests }]);
  };

  const runOthers = async (step: Step, once: RunOnce, fill: (text: string) => string): Promise<void> => {
    for (const { name, applies, event, isDone: succeeds, flags, env } of otherRuns) {
      if (!applies(step, commandOf(step.command))) continue;
      const kept = filesIn(root);
      const interruption = new AbortController();
      if (event === 'unavailable') unavailable = () => undefined;
      if (event === 'interrupted') unavailable = () => interruption.abort('SIGINT');
      sent.clear();
      const ran = await once({
        ...(flags && { words: (words) => [...words, ...flags] }),
        ...(name === '--dry-run' && { format: 'json' }),
        ...(name === '--curl' && !step.text && { format: 'text' }),
        env: { ...env, ...(succeeds && keyringEnv()) },
        main: { signal: interruption.signal, ...(succeeds && { keyring: keyringProgram }) },
      });
      unavailable = undefined;
      if (name.startsWith('--')) judgeDryRun(step, name, ran, fill);
      const found = changesBetween(before, list());
      // Some reads need no token.
      if ((env || succeeds) && isDone(step, ran.code)) judge(step, found);
      else judge(step, found, `(${name}, ${ran.code})`, ran.code);
      if (succeeds)
        expect(
          found.some((change) => change.startsWith('+ keyring ')),
          step.name,
        ).toBe(true);
      for (const entry of readdirSync(keyring)) rmSync(join(keyring, entry));
      if (found.some((change) => /^. (file|config|token) /.test(change))) restore(root, kept);
      before = list();
    }
  };

  const { outcomes } = await runScenario(scenario, {
    targets: running.targets,
    values: running.values,
    write: true,
    noPauses: true,
    clock,
    env: environment(),
    async beforeStep(step, once, here, fill) {
      if (at !== here) {
        at = here;
        list = listerOf(at);
        // Nothing listens on this port.
        const addresses = serviceNames.map((service) => `${service}.address=http://127.0.0.1:1`);
        expect(await at.run(['profile', 'put', 'down', ...addresses])).toMatchObject({ code: 0 });
      }
      before = list();
      if (withOtherRuns.has(step)) await runOthers(step, once, fill);
      sent.clear();
    },
    async afterStep() {
      changes = changesBetween(before, list());
    },
    onOutcome({ step, code }) {
      if (code !== undefined && isDone(step, code)) judge(step, changes);
      else if (code !== undefined) judge(step, changes, `(${code})`, code);
      changes = [];
      for (const { name, requests } of shown.get(step) ?? []) {
        const times = new Set([...sent].map(withoutTimes));
        const wrong = requests.filter((request) => !times.has(withoutTimes(request)));
        if (code === 0 && !step.argv.includes('--dry-run'))
          violations.push(...wrong.map((request) => `${step.name} ${name}: ${request}, not sent`));
        if (requests.length === 0 && !showsNoRequest.test(step.command))
          violations.push(`${step.name} ${name}: shows no request`);
      }
    },
  });
  for (const [path, { writes }] of commands)
    if (writes && !localCommands.includes(path) && !fails.test(path) && !showsNoRequest.test(path))
      expect(
        [...shown.keys()].some(({ command }) => command === path),
        `${path} --dry-run`,
      ).toBe(true);
  expect(violations).toEqual([]);
  // The steps did what they are about, in spite of all dry runs.
  expect(
    outcomes.flatMap(({ step, code, stderr }) =>
      step.kind === 'cleanup' || code === undefined || code === step.code
        ? []
        : `${step.name}: ${code} ${stderr}`,
    ),
  ).toEqual([]);
});

describe('a command that reaches no service changes what it declares:', () => {
  test.each(['a file', 'the keyring'])('tokens in %s', async (place) => {
    const withKeyring = { env: keyringEnv(), keyring: keyringProgram };
    const violations: string[] = [];
    for (const { command, words, before, files = {}, code: _code, args: _args, ...given } of localLines) {
      if (place === 'the keyring' && !/^profile (put|delete)/.test(command)) continue;
      const options =
        place === 'a file' ? given : { ...given, ...withKeyring, env: { ...given.env, ...withKeyring.env } };
      const at = newHome();
      for (const [name, content] of Object.entries(files)) at.write(name, content);
      const own = place === 'a file' ? {} : withKeyring;
      await at.run('profile put bystander secrets.token=-'.split(' '), { ...own, stdin: token });
      await at.run('alias set bystander status'.split(' '));
      if (before !== undefined) await at.run(before.split(' '), { ...own, stdin: token });
      const list = listerOf(at);
      const listed = list();
      const argv = words.split(' ');
      const ran = await at.run(argv, options);
      const changes = changesBetween(listed, list());
      const wrong = ran.code === 0 ? undeclared(changes, command, at, { argv, env: {} }) : changes;
      violations.push(...wrong.map((change) => `${words} (${ran.code}): ${change}`));
      at.remove();
    }
    expect(violations).toEqual([]);
  });

  test('dev leaves nothing', async () => {
    const at = newHome();
    await at.run('profile put own secrets.token=-'.split(' '), { stdin: token });
    const list = listerOf(at);
    const before = list();
    const stop = new AbortController();
    const stdout = new PassThrough().on('data', () => setImmediate(() => stop.abort('SIGTERM')));
    await at.run(['dev', '--port', '0', '-o', 'json'], { signal: stop.signal, stdout });
    expect(changesBetween(before, list())).toEqual([]);
    at.remove();
  });
});

test('a service before its first use', async () => {
  const rows = memoryStore();
  const unused = await unusedTargets(join(beside, 'audit.log'), { store: rows, clock });
  const at = newHome();
  try {
    const settings = serviceNames.map((service) => `${service}.address=${unused.targets[service].address}`);
    await at.run(['profile', 'put', 'new', ...settings]);
    await at.run(['profile', 'use', 'new']);
    const list = listerOf(at, rows);
    const run = async (words: string, env: Record<string, string> = {}): Promise<string> => {
      const argv = words.split(' ');
      const command = argv.slice(0, 2).join(' ');
      const before = list();
      const ran = await at.run(argv, { env });
      const changes = changesBetween(before, list());
      expect(ran, words).toMatchObject({ code: 0 });
      expect(undeclared(changes, command, at, { argv, env, profile: 'new' }), words).toEqual([]);
      expect(changes.length > 0 || / --dry-run$|request-code|unseal|seal/.test(words), words).toBe(true);
      return ran.stdout;
    };
    expect(await run('secrets init --shares 1 --dry-run')).toContain('/v1/sys/init');
    const { keys, root_token } = JSON.parse(await run('secrets init --shares 1 -o json'));
    await run('secrets unseal env://KEY', { KEY: keys[0] });
    await run('secrets seal --yes', { LANYARD_SECRETS_TOKEN: root_token });
    await run('acl bootstrap --dry-run');
    await run('acl bootstrap --store');
    await run('box request-code --login dev --password env://PASSWORD', {
      PASSWORD: unused.values.boxPassword ?? '',
    });
  } finally {
    at.remove();
    await unused.close();
  }
});

test('every command is run', () => {
  const run = [...scenario, ...localLines].map(({ command }) => command);
  // test/e2e/quickstart.test.ts lists what quickstart leaves.
  const known = new Set([...run, 'dev', 'quickstart']);
  expect([...commands.keys()].filter((path) => !known.has(path))).toEqual([]);
});

test.each([
  ['kv get', '+ file home/secret.json'],
  ['kv get', '~ remote secrets/data/mount/data/1/metadata/app'],
  ['kv put', '- remote secrets/data/policy/default'],
  ['kv put', '~ remote registry/kv/app'],
  ['secrets login', '~ config profiles other'],
  ['secrets login', '~ token other/secrets'],
  ['ssh issue', '~ file home/other'],
  ['box download', '~ remote box/boxes/dev/web'],
  ['ssh explain', '~ remote secrets/data/mount/data/1/role/deploy'],
])('%s may not change: %s', (path, change) => {
  const line = { path, command: commandOf(path), argv: path.split(' '), env: {}, profile: 'own' };
  expect(isDeclared(change, { ...line, home: '/root/home', root: '/root' })).toBe(false);
});

test('help and completion change nothing', async () => {
  const at = newHome();
  const settings = serviceNames.map((service) => `${service}.address=${running.targets[service].address}`);
  await at.run(['profile', 'put', 'own', ...settings]);
  await at.run(['profile', 'use', 'own']);
  const list = listerOf(at);
  const before = list();
  for (const { path } of tree) {
    expect(await at.run([...path.split(' '), '--help'])).toMatchObject({ code: 0 });
    await at.run(['__complete', ...path.split(' '), '']);
  }
  const cache = /^. file runtime\/lanyard(\/completion-[0-9a-f]{64})?$/;
  expect(changesBetween(before, list()).filter((change) => !cache.test(change))).toEqual([]);
  at.remove();
});
