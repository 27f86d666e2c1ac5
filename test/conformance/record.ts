import { type ServiceName, serviceNames } from '../../src/wire/services.ts';
import { type Recorder, recorder } from './recorder.ts';
import { isWatch, type Recording } from './recording.ts';
import { cleanerOf, normalised } from './redact.ts';
import { type Run, type RunOptions, runScenario, type Target } from './run.ts';
import type { Step } from './step.ts';

/** A target whose product and version are known. */
export interface Versioned extends Target {
  readonly version: string;
}

export interface RecordOptions extends Omit<RunOptions, 'targets'> {
  readonly targets: Partial<Readonly<Record<ServiceName, Versioned>>>;
}

/** Runs the scenario through recording proxies. */
export async function record(
  steps: readonly Step[],
  options: RecordOptions,
): Promise<{ readonly run: Run; readonly recordings: readonly Recording[] }> {
  const start = new Date();
  const recorders = new Map<ServiceName, Recorder>();
  const targets: Partial<Record<ServiceName, Versioned>> = {};
  try {
    for (const service of serviceNames) {
      const target = options.targets[service];
      if (!target) continue;
      const before = await recorder(target.address);
      recorders.set(service, before);
      targets[service] = { ...target, address: before.address };
    }
    const run = await runScenario(steps, {
      ...options,
      targets,
      onStep(step) {
        for (const each of recorders.values()) each.step = step?.name ?? '';
        options.onStep?.(step);
      },
    });
    const recordings = [...recorders].map(([service, { exchanges, address }]) =>
      recordingOf(
        service,
        exchanges.filter((each) => !isWatch(each)),
        run,
        { target: options.targets[service] as Versioned, start, proxy: address },
      ),
    );
    return { run, recordings };
  } finally {
    for (const each of recorders.values()) await each.close();
  }
}

function recordingOf(
  service: ServiceName,
  raw: Recorder['exchanges'],
  run: Run,
  { target, start, proxy }: { readonly target: Versioned; readonly start: Date; readonly proxy: string },
): Recording {
  const facts = { run: run.run, secrets: run.secrets, start, addresses: [target.address, proxy] };
  const clean = cleanerOf(raw, facts);
  const token = clean(target.token ?? '');
  const exchanges = normalised(raw, clean);
  const steps = run.outcomes.flatMap(({ step, code }) =>
    code === undefined || step.service !== service || step.kind === 'cleanup' || comparesSecrets(step)
      ? []
      : [
          {
            name: step.name,
            code,
            exchanges: exchanges.filter((_, index) => raw[index]?.step === step.name),
          },
        ],
  );
  const at = `${start.toISOString().slice(0, 16)}:00.000Z`;
  return { service, product: target.product, version: target.version, at, token, steps };
}

/** State in files compares the secrets of responses with those of the environment; a recording has them redacted. */
const comparesSecrets = ({ env }: Step): boolean => env?.STATE_PASSWORD !== undefined;
