import { subscribe } from 'node:diagnostics_channel';
import { mkdir, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from '../src/wire/services.ts';
import {
  baselineFile,
  baselineOf,
  differencesFrom,
  isTested,
  readBaseline,
  textOfBaseline,
} from '../test/conformance/baseline.ts';
import { dialectOf } from '../test/conformance/dialects.ts';
import { embeddedTargets } from '../test/conformance/embedded.ts';
import { productAt } from '../test/conformance/product.ts';
import { record, type Versioned } from '../test/conformance/record.ts';
import { nameOf, textOf } from '../test/conformance/recording.ts';
import { type Outcome, type RunOptions, runScenario } from '../test/conformance/run.ts';
import { scenario } from '../test/conformance/scenario.ts';
import { signIn } from '../test/conformance/sign-in.ts';

const help = `Runs the conformance scenario: every command of Lanyard against the services at the given addresses.

npm run conformance -- [--secrets URL] [--registry URL] [--scheduler URL] [--accounts URL] [--box URL] [flags]

  --write             also run the steps that write, with names of their own (default: only reads)
  --record DIR        store the responses below DIR, without secrets
  --product S=NAME-VERSION
                      product and version of the service S, where its responses do not say them
  --update-baseline   write test/conformance/baseline.json (embedded services only)

Tokens come from LANYARD_SECRETS_TOKEN, LANYARD_REGISTRY_TOKEN and so on; the box registry also needs
LANYARD_BOX_LOGIN and, for logins, LANYARD_BOX_PASSWORD. Without an address, embedded services are started
and everything is run. The exit code is 1 when an exit code differs from the baseline and is not a known dialect.
`;

const { values: flags } = parseArgs({
  options: {
    ...Object.fromEntries(serviceNames.map((service) => [service, { type: 'string' as const }])),
    write: { type: 'boolean', default: false },
    record: { type: 'string' },
    product: { type: 'string', multiple: true, default: [] },
    'update-baseline': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

// A command's process ends with the connections that it kept. Here they would add up: Consul accepts 200 of a client.
const connections = new Set<Socket>();
subscribe('net.client.socket', (message) => connections.add((message as { socket: Socket }).socket));
function closeConnections(): void {
  for (const socket of connections) socket.destroy();
  connections.clear();
}

const out = (line: string): void => void process.stdout.write(`${line}\n`);

async function conformance(): Promise<number> {
  const given = await givenTargets();
  const isEmbedded = Object.keys(given).length === 0;
  const embedded = isEmbedded ? await embeddedTargets() : undefined;
  if (flags['update-baseline'] && !embedded)
    throw new Error('--update-baseline takes no address: the baseline is that of the embedded services');
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const options: Omit<RunOptions, 'targets'> = {
    write: flags.write || isEmbedded,
    values: embedded?.values ?? boxValues(),
    env: embedded ? {} : ownSettings(),
    signal: stop.signal,
    signIn,
    onOutcome(outcome) {
      closeConnections();
      show(outcome);
    },
  };
  try {
    const targets = embedded ? await versioned(embedded.targets) : given;
    const products = new Set(Object.values(targets).map(nameOf));
    out(`# ${[...products].join(', ')}${options.write ? '' : ', read-only'}`);
    const { outcomes } = await (flags.record === undefined
      ? runScenario(scenario, { ...options, targets })
      : recorded(flags.record, { ...options, targets }));
    if (flags['update-baseline']) await writeFile(baselineFile, textOfBaseline(baselineOf(outcomes)));
    return summary(outcomes);
  } finally {
    await embedded?.close();
  }

  /** One line for each operation, and one for each difference. */
  function show(outcome: Outcome): void {
    const { step, code, shape, skipped, stderr } = outcome;
    if (step.kind === 'cleanup') return;
    if (skipped !== undefined) {
      out(`skip  ${step.name}: ${skipped}`);
      return;
    }
    if (!isTested(outcome)) {
      if (code !== 0) out(`prepare failed  ${step.name}: exit code ${code}\n${indented(stderr)}`);
      return;
    }
    const different = flags['update-baseline'] ? [] : differencesFrom(readBaseline(), outcome);
    const known = isKnown(outcome) ? ' (known dialect)' : '';
    out(`${different.length === 0 ? 'same' : 'DIFF'}  ${step.name}: ${code} ${JSON.stringify(shape)}`);
    for (const line of different) out(`        ${line}${known}`);
    if (different.some((line) => line.startsWith('exit code')) && known === '') out(indented(stderr));
  }

  function isKnown({ step, code }: Outcome): boolean {
    const product = given[step.service]?.product ?? 'lanyard';
    const what = `${code}, embedded ${readBaseline()[step.name]?.code}`;
    return dialectOf({ product, step: step.name, request: 'exit code', what }) !== undefined;
  }

  function summary(outcomes: readonly Outcome[]): number {
    const run = outcomes.filter((outcome) => isTested(outcome) && outcome.code !== undefined);
    const baseline = flags['update-baseline'] ? baselineOf(outcomes) : readBaseline();
    const different = run.filter(
      (outcome) => outcome.code !== (baseline[outcome.step.name] ?? outcome.step).code,
    );
    const unknown = different.filter((outcome) => !isKnown(outcome));
    out(
      `# ${run.length} steps, ${run.length - different.length} with the exit code of the baseline, ${different.length - unknown.length} with one of a known dialect, ${unknown.length} with another`,
    );
    return unknown.length === 0 ? 0 : 1;
  }
}

const indented = (text: string): string => text.trimEnd().replace(/^/gm, '        ');

/** The services that have an address on the command line. */
async function givenTargets(): Promise<Partial<Record<ServiceName, Versioned>>> {
  const texts = flags as Readonly<Record<string, unknown>>;
  const targets: Partial<Record<ServiceName, Versioned>> = {};
  for (const service of serviceNames) {
    const address = texts[service];
    if (typeof address !== 'string') continue;
    const token = process.env[`LANYARD_${service.toUpperCase()}_TOKEN`];
    const named = /^(\w+)=([a-z]+)-(.+)$/;
    const [, , product, version] =
      flags.product.map((text) => named.exec(text)).find((match) => match?.[1] === service) ?? [];
    targets[service] = {
      address: address.replace(/\/+$/, ''),
      ...(token ? { token } : {}),
      ...(product && version ? { product, version } : await productAt(service, address, token)),
    };
  }
  return targets;
}

async function versioned(
  targets: Awaited<ReturnType<typeof embeddedTargets>>['targets'],
): Promise<Partial<Record<ServiceName, Versioned>>> {
  const all: Partial<Record<ServiceName, Versioned>> = {};
  for (const service of serviceNames) {
    const target = targets[service];
    all[service] = { ...target, ...(await productAt(service, target.address, target.token)) };
  }
  return all;
}

/** Settings other than addresses and tokens, from the environment. */
function ownSettings(): Record<string, string> {
  const setting =
    /^LANYARD_[A-Z]+_(?:CACERT|CAPATH|CLIENT_CERT|CLIENT_KEY|TLS_SERVER_NAME|SKIP_VERIFY|NAMESPACE|REGION|DATACENTER|PROXY)$/;
  const found = Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
    setting.test(name) && value ? [[name, value]] : [],
  );
  return Object.fromEntries(found);
}

function boxValues(): Record<string, string> {
  const { LANYARD_BOX_LOGIN: owner, LANYARD_BOX_PASSWORD: boxPassword } = process.env;
  return { ...(owner ? { owner } : {}), ...(boxPassword ? { boxPassword } : {}) };
}

/** Runs through recording proxies, and writes DIR/PRODUCT-VERSION/SERVICE.json. */
async function recorded(directory: string, options: Parameters<typeof record>[1]) {
  const { run, recordings } = await record(scenario, options);
  for (const recording of recordings) {
    const folder = join(directory, nameOf(recording));
    await mkdir(folder, { recursive: true });
    const file = join(folder, `${recording.service}.json`);
    await writeFile(file, textOf(recording));
    out(`# wrote ${file}`);
  }
  return run;
}

if (flags.help) out(help);
else process.exitCode = await conformance();
