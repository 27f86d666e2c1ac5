import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandFlags } from '../../src/cli/parse/command-flags.ts';
import { toKebabCase } from '../../src/command/command.ts';
import { tree } from '../../src/commands/tree.ts';
import { type ServiceName, serviceNames } from '../../src/wire/services.ts';
import { type EmbeddedTargets, embeddedTargets } from '../conformance/embedded.ts';
import { type RunOnce, runScenario } from '../conformance/run.ts';
import { scenario } from '../conformance/scenario.ts';
import type { Step } from '../conformance/step.ts';
import {
  factsAbout,
  factsOf,
  handledSecrets,
  localCommands,
  recordedFile,
  textOfRecording,
} from '../facts/facts.ts';
import { type FaultProxy, faultProxy, isWrite } from '../faults/proxy.ts';
import { freePort } from '../support/ports.ts';
import type { Home } from '../support/run.ts';
import { isSoak, report, sized } from '../support/soak.ts';
import { type Case, casesOf } from './cases.ts';
import { secretsInExchange } from './extract.ts';
import { attempt, type Elsewhere, elsewhere, type Files, filesIn, restore } from './runner.ts';
import { type CanaryName, everywhere, type Scanner, scanner } from './scan.ts';
import { canarySteps, given } from './steps.ts';
import { type Exchange, respond } from './trials.ts';
import { canaries, clientKey, credentialsInEnvironment, values } from './values.ts';
import { type Watch, watch } from './watch.ts';

/** Of all runs of a command line, one in this many; others for the next line. */
const stride = sized(1, 61);

let running: EmbeddedTargets;
let proxy: FaultProxy;
let origin: Elsewhere;
let watcher: Watch;
let root: string;
let closed: string;
let keyringFolder: string;
const keyringProgram = [
  process.execPath,
  join(import.meta.dirname, '../unit/config/folder-keyring.ts'),
] as const;
const temporary = tmpdir();
const scan: Scanner = scanner();

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lanyard-canary-'));
  process.env.TMPDIR = root;
  mkdirSync(join(root, 'runtime'), { mode: 0o700 });
  mkdirSync(join(root, 'broken'), { mode: 0o700 });
  writeFileSync(join(root, 'broken/key.pem'), clientKey, { mode: 0o600 });
  writeFileSync(join(root, 'broken/certificate.pem'), clientKey.replaceAll('PRIVATE KEY', 'CERTIFICATE'), {
    mode: 0o600,
  });
  running = await embeddedTargets();
  proxy = await faultProxy(running.targets);
  origin = await elsewhere();
  watcher = watch();
  keyringFolder = mkdtempSync(join(temporary, 'lanyard-keyring-'));
  closed = `http://127.0.0.1:${await freePort()}`;
  for (const canary of canaries) scan.add(canary);
  for (const { token } of Object.values(running.targets))
    if (token !== undefined) scan.add({ name: 'token', value: token });
  scan.add({ name: 'password', value: running.values.boxPassword ?? '' });
});
afterAll(async () => {
  watcher.end();
  origin.close();
  await proxy.close();
  await running.close();
  process.env.TMPDIR = temporary;
  rmSync(keyringFolder, { recursive: true, force: true });
  rmSync(root, { recursive: true, force: true });
});

/** The steps under test: those of the canaries, and one of every other command and service that succeeds. */
const tried: ReadonlySet<Step> = new Set([
  ...canarySteps.filter(({ kind }) => kind === 'write' || kind === 'after'),
  ...[...Map.groupBy(scenario, ({ command, service }) => `${command} ${service}`).values()].flatMap(
    (steps) => {
      const own = steps.filter(({ kind }) => kind !== 'prepare' && kind !== 'cleanup');
      const done = own.filter(({ code }) => code === 0);
      const found = done.find(({ kind }) => kind === 'write') ?? done[0] ?? own[0];
      const isCovered = canarySteps.some(
        ({ command, service }) => command === found?.command && service === found.service,
      );
      return found === undefined || isCovered ? [] : [found];
    },
  ),
]);

/** Those whose runs start programs that take long: fewer of them. */
const isSlow = (step: Step): boolean => /^ssh connect|^run$| edit$/.test(step.command);

/** The runs of a step: in a soak all, else some. */
function sampled(cases: readonly Case[], index: number, step: Step): readonly Case[] {
  const every = isSoak ? (isSlow(step) ? 9 : 1) : stride;
  return cases.filter((_case, at) => (at + index * 11) % every === 0);
}

/** The secrets that a command handles besides those of all. */
const ownSecrets = (command: string, names: ReadonlySet<CanaryName>): readonly CanaryName[] =>
  [...names].filter((name) => !everywhere.includes(name) || factsOf(command).shows?.[name]);

/** By command: the secrets that it handled, and the places where some appeared. */
const handled = new Map<string, Set<CanaryName>>();
const seen = new Map<string, Set<string>>();
let index = 0;

for (const service of serviceNames)
  test(`every command line of ${service} shows its secrets where its row says, and nowhere else`, () =>
    tryCommands(service));

async function tryCommands(service: ServiceName): Promise<void> {
  const score = new Map<string, { tried: number; failed: number }>();
  const violations: string[] = [];
  let exchanges: Exchange[] = [];
  let before: Files = new Map();

  /** Passes requests on, or gives the response that the step has, and records both. */
  const record = (step: Step | undefined): void => {
    exchanges = [];
    const fixed = [(step && given[step.name]) ?? []].flat();
    let count = 0;
    proxy.begin({
      forwards: fixed.length === 0,
      picks: () => true,
      play: (socket, came, request) => {
        const own = fixed[Math.min(count++, fixed.length - 1)];
        const reply = own
          ? {
              status: own.status,
              headers: { 'content-type': 'application/json' },
              body: Buffer.from(JSON.stringify(own.body)),
            }
          : came;
        exchanges.push({ ...request, reply });
        const {
          connection: _c,
          'transfer-encoding': _t,
          'content-length': _l,
          'keep-alive': _k,
          ...kept
        } = reply.headers;
        respond(socket, reply.status, reply.body, kept as Record<string, string>);
      },
    });
  };

  const tryStep = async (step: Step, once: RunOnce, at: Home): Promise<void> => {
    const { shows = {} } = factsOf(step.command);
    if (!tried.has(step)) return;
    const own = exchanges;
    for (const exchange of own) for (const canary of secretsInExchange(exchange)) scan.add(canary);
    const traffic = own.map(({ url, body, reply }) => `${url}\n${body}\n${reply.body}`).join('\n');
    const names = handled.get(step.command) ?? new Set();
    handled.set(step.command, names);
    for (const name of scan.find(traffic)) names.add(name);

    const leaf = tree.find(({ path }) => path === step.command);
    const command = await leaf?.load();
    const offered = command ? commandFlags(command.default) : {};
    const isWriting = own.some(isWrite);
    const cases = casesOf({
      step,
      isWriting,
      closed,
      token: running.targets[step.service].token ?? '',
      offers: (flag) => Object.keys(offered).some((name) => toKebabCase(name) === flag),
      takesMore: Object.values(command?.default.args ?? {}).some(({ repeatable: several }) => several),
      readsFirst: isWriting && own.some((request) => !isWrite(request)),
      hasSecrets: ownSecrets(step.command, names).length > 0,
      env: Object.fromEntries(
        Object.entries(step.env ?? {}).map(([name, text]) => [
          name,
          text.replace(
            /^\{(\w+)\}$/,
            (_all, key: string) => ({ ...running.values, ...values })[key] ?? 'missing',
          ),
        ]),
      ),
      broken: { certificate: join(root, 'broken/certificate.pem'), key: join(root, 'broken/key.pem') },
    });
    const line = `${step.command} (${step.service})`;
    const total = score.get(line) ?? { tried: 0, failed: 0 };
    score.set(line, total);
    const after = filesIn(root);
    restore(root, before);
    const places = seen.get(step.command) ?? new Set();
    seen.set(step.command, places);
    for (const one of sampled(cases, index++, step)) {
      const ran = await attempt(
        one,
        { step, shows, exchanges: own, once, home: at.path, files: before },
        {
          root,
          proxy,
          scan,
          watch: watcher,
          elsewhere: origin,
          keyring: { program: keyringProgram, folder: keyringFolder },
        },
      );
      total.tried++;
      if (ran.wrong.length > 0) total.failed++;
      for (const place of ran.seen) places.add(place);
      violations.push(
        ...ran.wrong.map(
          (what) =>
            `${step.name} | ${one.name}: ${what} | ${ran.code} ${ran.stderr.replaceAll(/\s+/g, ' ').slice(0, 300)}`,
        ),
      );
    }
    restore(root, after);
  };

  const { outcomes } = await runScenario([...scenario, ...canarySteps], {
    targets: { [service]: proxy.targets[service] },
    values: { ...running.values, ...values },
    write: true,
    noPauses: true,
    env: { ...credentialsInEnvironment, XDG_RUNTIME_DIR: join(root, 'runtime') },
    beforeStep: async () => {
      before = filesIn(root);
    },
    onStep: record,
    afterStep: tryStep,
  });
  for (const [line, { tried, failed }] of score) report(line, tried, failed);
  expect(
    outcomes
      .filter(({ step, code }) => step.name.startsWith('canary') && code !== step.code)
      .map(({ step, code, stderr, skipped }) => `${step.name}: ${code}, ${skipped ?? stderr}`),
  ).toEqual([]);
  expect(violations).toEqual([]);
}

test('the secrets that commands handle are recorded', async () => {
  const known = new Map<string, readonly string[]>([
    ...Object.entries(handledSecrets).filter(([command]) => tree.some(({ path }) => path === command)),
    ...[...handled].map(([command, names]) => [command, ownSecrets(command, names)] as const),
  ]);
  await expect(
    textOfRecording(known),
    'if commands should handle other secrets, run "npx vitest run test/canary --update"',
  ).toMatchFileSnapshot(recordedFile('handled'));
  for (const [command, shows] of factsAbout('shows'))
    if (!localCommands.includes(command))
      expect(known.get(command), command).toEqual(expect.arrayContaining(Object.keys(shows)));
  if (!isSoak) return;
  for (const [command, places] of seen) {
    const allowed = Object.entries(factsOf(command).shows ?? {}).flatMap(([name, own]) =>
      own.map((place) => `${name}: ${place}`),
    );
    expect([...places].sort(), command).toEqual(expect.arrayContaining(allowed));
  }
});
