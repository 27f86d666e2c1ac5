import { type Baseline, readBaseline } from '../../test/conformance/baseline.ts';
import { type Dialect, dialectOf, dialects } from '../../test/conformance/dialects.ts';
import { type RecordedStep, type Recording, recordings } from '../../test/conformance/recording.ts';
import { scenario } from '../../test/conformance/scenario.ts';
import type { Step } from '../../test/conformance/step.ts';
import { unrecordedDifferences } from '../../test/conformance/unrecorded-differences.ts';
import { foreignClients } from './foreign-clients.ts';

const titles: Readonly<Record<string, string>> = {
  openbao: 'OpenBao',
  vault: 'Vault',
  consul: 'Consul',
  nomad: 'Nomad',
  boundary: 'Boundary',
  vagrant: 'Vagrant-compatible registry',
};

const steps: ReadonlyMap<string, Step> = new Map(scenario.map((step) => [step.name, step]));

/** A recorded step that is under test, and what is known of it. */
interface Tested {
  readonly step: Step;
  /** The exit code is that of the embedded service. */
  readonly isSame: boolean;
  /** The entry that accepts another exit code. */
  readonly dialect: Dialect | undefined;
}

function testedSteps(recording: Recording, baseline: Baseline): Tested[] {
  return recording.steps.flatMap(({ name, code }: RecordedStep): Tested[] => {
    const [step, row] = [steps.get(name), baseline[name]];
    if (step === undefined || row === undefined) return [];
    const what = `${code}, embedded ${row.code}`;
    const difference = { product: recording.product, step: name, request: 'exit code', what };
    return [
      { step, isSame: code === row.code, dialect: code === row.code ? undefined : dialectOf(difference) },
    ];
  });
}

/**
 * `docs/compatibility.md`, from the recordings of real products, the accepted differences, and what other clients do
 * on the embedded services.
 */
export function compatibility(): string {
  const baseline = readBaseline();
  const all = recordings().map((recording) => ({ recording, tested: testedSteps(recording, baseline) }));
  return `<!-- Written by "npm run generate" from test/conformance; do not edit. -->

# Compatibility

Every command runs against the embedded services and against real products. The responses of the products are recorded in the repository; each test run replays them to the client and compares the embedded services with them. [real-clusters.md](guides/real-clusters.md) says how to connect to each product.

| Product | Version | Recorded | Commands passed | Steps with the same exit code | Differences |
| --- | --- | --- | --- | --- | --- |
${all.map(({ recording, tested }) => overview(recording, tested)).join('\n')}

A command passes if each of its steps, failures included, has the exit code that it has on the embedded service, or another one for a documented reason. Vault has the API of OpenBao, and Vagrant-compatible registries that of the embedded box registry; neither has a recording.

To test your own services, run \`npm run conformance -- --secrets URL\` (or \`--registry\`, \`--scheduler\`, \`--accounts\`, \`--box\`) in a clone, with the tokens in \`LANYARD_SECRETS_TOKEN\` and so on. It only reads unless \`--write\` is given; \`--write\` uses names and namespaces that begin with \`lanyard-conformance-\`, and removes them.

${[...all.map(({ recording, tested }) => section(recording, tested)), foreignClients()].filter(Boolean).join('\n')}`;
}

const titleOf = ({ product, version }: Recording): string => `${titles[product] ?? product} ${version}`;

/** The commands of some steps, and whether each passes. */
function commandsOf(tested: readonly Tested[]): ReadonlyMap<string, boolean> {
  const passed = new Map<string, boolean>();
  for (const { step, isSame, dialect } of tested)
    passed.set(step.command, (passed.get(step.command) ?? true) && (isSame || isDocumented(dialect)));
  return passed;
}

const isDocumented = (dialect: Dialect | undefined): boolean =>
  dialect !== undefined && dialect.reason !== 'tracked';

const differencesOf = ({ product }: Recording): readonly Pick<Dialect, 'reason' | 'text'>[] =>
  [...dialects, ...unrecordedDifferences].filter((difference) => difference.product === product);

function overview(recording: Recording, tested: readonly Tested[]): string {
  const commands = [...commandsOf(tested).values()];
  const cells = [
    `[${titles[recording.product] ?? recording.product}](#${anchorOf(recording)})`,
    recording.version,
    recording.at.slice(0, 10),
    `${commands.filter(Boolean).length} of ${commands.length}`,
    `${tested.filter(({ isSame }) => isSame).length} of ${tested.length}`,
    String(differencesOf(recording).length),
  ];
  return `| ${cells.join(' | ')} |`;
}

const anchorOf = (recording: Recording): string =>
  titleOf(recording)
    .toLowerCase()
    .replaceAll(' ', '-')
    .replace(/[^a-z0-9-]/g, '');

const reasons = [
  ['tracked', 'To be changed'],
  ['embedded is stricter', 'The embedded service is stricter'],
  ['dialect', 'Different versions of the API'],
] as const;

function section(recording: Recording, tested: readonly Tested[]): string {
  const commands = commandsOf(tested);
  const list = (wanted: boolean): string =>
    [...commands]
      .filter(([, passed]) => passed === wanted)
      .map(([command]) => `\`${command}\``)
      .sort()
      .join(', ');
  const failed = list(false);
  const groups = reasons.flatMap(([reason, title]) => {
    const texts = differencesOf(recording).filter((dialect) => dialect.reason === reason);
    return texts.length === 0 ? [] : [`${title}:\n\n${texts.map(({ text }) => `- ${text}`).join('\n')}\n`];
  });
  return `## ${titleOf(recording)}

Passed: ${list(true)}.
${failed === '' ? '' : `\nNot passed: ${failed}.\n`}
${groups.join('\n')}`;
}
