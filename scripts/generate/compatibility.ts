import { type Baseline, readBaseline } from '../../test/conformance/baseline.ts';
import { type Dialect, dialectOf, dialects } from '../../test/conformance/dialects.ts';
import { type Agreement, readAgreements, shareOf } from '../../test/conformance/raw/agreement.ts';
import { rawDialects } from '../../test/conformance/raw/dialects.ts';
import { type RecordedStep, type Recording, recordings } from '../../test/conformance/recording.ts';
import { scenario } from '../../test/conformance/scenario.ts';
import type { Step } from '../../test/conformance/step.ts';
import { unrecordedDifferences } from '../../test/conformance/unrecorded-differences.ts';
import { foreignClients } from './foreign-clients.ts';
import { productCommandTables } from './product-commands.ts';

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

Every command runs against the embedded services and against real products. The responses of the products are recorded in the repository; each test run replays them to the client and compares the embedded services with them. [Use Lanyard with real clusters](guides/real-clusters.md) describes how to connect to each product; for users of the products' own programs there are guides for [vault and bao](guides/from-vault.md), [consul](guides/from-consul.md), [nomad](guides/from-nomad.md), [boundary](guides/from-boundary.md) and [vagrant cloud](guides/from-vagrant.md).

| Product | Version | Recorded | Commands passed | Steps with the same exit code | Differences |
| --- | --- | --- | --- | --- | --- |
${all.map(({ recording, tested }) => overview(recording, tested)).join('\n')}

A command passes if each of its steps, failures included, has the exit code that it has on the embedded service, or another one for a documented reason. Vault has the API of OpenBao, and Vagrant-compatible registries that of the embedded box registry; neither has a recording.

## Raw requests

A list of requests for each product (\`test/conformance/raw\`) is sent without the client: every method, each kind of token, missing objects, invalid parameters and bodies. The responses of the products are recorded; each test run sends the same requests to fresh embedded services.

| Product | Requests | Same | Listed difference | Other | Agreement | Same of all |
| --- | --- | --- | --- | --- | --- | --- |
${Object.entries(readAgreements())
  .map(([name, agreement]) => agreementRow(name, agreement))
  .join('\n')}

- Same: the response has the same status, media type and shape of the body (names and types of all fields).
- Listed difference: each difference of the response is listed below as another version of the API, or because the embedded service is stricter.
- Other: at least one difference is to be changed.
- Agreement: same responses among the requests without a listed difference, ${'`same / (requests - listed)`'}; a test requires 95 %. Same of all counts listed differences as disagreement.

## Your own services

To test your own services, run \`npm run conformance -- --secrets URL\` (or \`--registry\`, \`--scheduler\`, \`--accounts\`, \`--box\`) in a clone, with the tokens in \`LANYARD_SECRETS_TOKEN\` and so on. It only reads unless \`--write\` is given; \`--write\` uses names and namespaces that begin with \`lanyard-conformance-\`, and removes them.

${[...all.map(({ recording, tested }) => section(recording, tested)), foreignClients(), productCommandTables()].filter(Boolean).join('\n')}`;
}

function agreementRow(name: string, agreement: Agreement): string {
  const { requests, same, dialect, different } = agreement;
  const [product = name, version = ''] = name.split(/-(?=\d)/);
  const shares = [shareOf(agreement), same / requests].map((share) => `${(100 * share).toFixed(1)} %`);
  const cells = [`${titles[product] ?? product} ${version}`, requests, same, dialect, different, ...shares];
  return `| ${cells.join(' | ')} |`;
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

/** The accepted differences of a product, one for each text. */
function differencesOf({ product }: Recording): readonly Pick<Dialect, 'reason' | 'text'>[] {
  const own = [...dialects, ...rawDialects, ...unrecordedDifferences].filter(
    (difference) => difference.product === product,
  );
  return [...new Map(own.map((dialect) => [dialect.text, dialect])).values()];
}

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
