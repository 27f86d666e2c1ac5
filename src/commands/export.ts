import { arg, command, flag } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { usage } from '../errors.ts';
import { type Block, code, raw, reportTable, text } from '../output/document.ts';
import { countText } from '../output/humanize.ts';
import { type Exported, exportObjects } from '../state/export.ts';
import { checkData, checkDocument, checkExport, hasDifferences } from '../state/export-check.ts';
import { documentText, exportChanges } from '../state/export-files.ts';
import { readExistingState } from '../state/input.ts';
import type { Kind } from '../state/kind.ts';
import { kindNames, kinds } from '../state/kinds.ts';
import { configuredServices, newSet, setPath } from '../state/new-set.ts';
import { countLeftOut, type LeftOut, leftOutText } from '../state/not-exported.ts';
import { problemsError } from '../state/problems.ts';
import { checkKinds, checkService } from '../state/session-options.ts';
import { ignorePatterns } from '../state/unmanaged-filter.ts';
import { compact } from '../wire/objects.ts';
import { type ServiceName, serviceNames } from '../wire/services.ts';

const secretsPolicies = ['unmanaged', 'env', 'file'] as const;

export default command({
  description:
    'Writes the objects of the configured services as YAML documents: one file each (SERVICE/KIND/NAME.yaml), excluding default values, built-in objects and values of secrets; a warning counts what is not exported. The first export also writes set.yaml; later ones update the files, and keep "metadata" and the references in them. With -, all documents except the Set are printed.',
  examples: [
    'lanyard export state',
    'lanyard export state --service registry --secrets env',
    'lanyard export --kind registry.policy -',
    'lanyard export state --kind registry.key --values',
    'lanyard export state --check',
  ],
  waitsForRateLimits: true,
  namespaceOf: 'secrets',
  changes: ['files'],
  args: { directory: arg.text('DIR|-', 'directory; - for standard output', { completes: 'directory' }) },
  flags: {
    service: flag.list('SERVICE', 'only objects of this service; repeatable', { completes: serviceNames }),
    kind: flag.list('KIND', 'only objects of this kind, such as registry.policy; repeatable', {
      completes: kindNames,
    }),
    secrets: flag.choice(
      secretsPolicies,
      'secrets in the files: unmanaged (default, no values), or references to variables or to DIR/.secrets.json',
    ),
    values: flag.boolean('write the values of registry keys, unless their files say "sensitive: true"'),
    noTargets: flag.boolean('write set.yaml without targets, for a set that is applied to another cluster'),
    check: flag.boolean(
      'write nothing: compare the files with what would be written, and exit with 10 if they differ',
    ),
    skipForbidden: flag.boolean('leave out objects that the tokens do not permit to list or read'),
  },
  async run({ args: { directory }, flags }, ctx) {
    if (flags.check && directory === '-') throw usage('--check requires a directory');
    if (flags.check && flags.noTargets) throw usage('--check cannot be combined with --no-targets');
    const chosen = await chooseKinds(flags, ctx);
    const options = {
      kinds: chosen,
      secrets: flags.secrets ?? 'unmanaged',
      values: flags.values,
      skipsForbidden: flags.skipForbidden,
    };
    if (directory === '-') {
      const found = await exportObjects(ctx.api, { ...options, existing: [], record: undefined }, ctx.output);
      report(found, ctx);
      await reportLeftOut(found, { chosen, isFiltered: flags.kind !== undefined }, ctx);
      const texts = await Promise.all(found.objects.map(documentText));
      const documents = found.objects.map(({ document }) => document);
      return { data: documents, rows: documents, document: [raw(texts.join('---\n'))] };
    }
    const existing = await readExistingState(directory, ctx);
    if (existing && existing.problems.length > 0) throw problemsError(existing.problems);
    if (flags.check && !existing) throw usage(`cannot check ${directory}: no files *.yaml, *.yml or *.json`);
    const found = await exportObjects(
      ctx.api,
      {
        ...options,
        existing: existing?.documents ?? [],
        record: existing?.set?.record,
        ignore: ignorePatterns(existing?.set?.ignore ?? []),
      },
      ctx.output,
    );
    const isComplete = ({ name }: Kind): boolean =>
      chosen.some((kind) => kind.name === name) &&
      !found.skipped.some((skipped) => skipped.kind === name && skipped.name === undefined);
    if (flags.check && existing) {
      report(found, ctx);
      const { set } = existing;
      const check = checkExport(directory, found, existing, ({ kind }) => isComplete(kind));
      return {
        data: { ...compact({ set: set && { id: set.id, name: set.name } }), ...checkData(check) },
        document: checkDocument(directory, check),
        exitCode: hasDifferences(check) ? 10 : 0,
      };
    }
    const changes = await exportChanges(directory, found, existing, ({ kind }) => isComplete(kind));
    const set =
      existing?.set ??
      (await newSet(ctx.files.absolute(directory), servicesOf(chosen), {
        services: ctx.api,
        random: ctx.system.random,
        warn: (message) => ctx.output.warn(message),
        hasTargets: !flags.noTargets,
      }));
    if (flags.noTargets && existing?.set && Object.keys(existing.set.targets).length > 0)
      ctx.output.warn(`--no-targets does not change the targets in ${existing.set.source.file}`);
    const setFile = 'text' in set ? [{ path: setPath(directory), content: set.text }] : [];
    const files = [...setFile, ...changes.files];
    await ctx.files.createDirectory(directory);
    await ctx.files.createDirectories(directory, changes.directories);
    await ctx.files.write(files);
    report({ ...found, skipped: changes.skipped }, ctx);
    if (found.ignored > 0)
      ctx.output.note(`${countText(found.ignored, 'object')} left out: spec.unmanaged.ignore of the set`);
    for (const { kind, source } of changes.gone)
      ctx.output.warn(`${source.file}: the ${kind.name} does not exist`);
    const leftOut = await reportLeftOut(found, { chosen, isFiltered: flags.kind !== undefined }, ctx);
    const counts = countByKind(found);
    const { id, name } = set;
    warnOfOtherSets(found, id, ctx);
    return {
      data: {
        set: { id, name },
        files: { written: files.length, unchanged: changes.unchanged },
        objects: counts,
        references: found.references,
        skipped: changes.skipped,
        leftOut,
        gone: changes.gone.map(({ source }) => source.file),
      },
      rows: Object.entries(counts).map(([kind, objects]) => ({ kind, objects })),
      document: summary(directory, counts, { written: files.length, unchanged: changes.unchanged }),
    };
  },
});

async function chooseKinds(
  flags: { readonly service: readonly string[] | undefined; readonly kind: readonly string[] | undefined },
  ctx: Context,
): Promise<readonly Kind[]> {
  const names = checkKinds(flags.kind ?? []);
  const services = (flags.service ?? []).map(checkService);
  const configured = services.length > 0 ? services : await configuredServices(ctx.api.settings);
  const chosen = kinds.filter(
    ({ name, service }) =>
      (names.length === 0 || names.includes(name)) &&
      // A kind that was named is exported, or fails where its service has no address.
      (configured.includes(service) || (services.length === 0 && names.includes(name))),
  );
  if (chosen.length === 0)
    throw usage(services.length > 0 ? 'no kind of these services is selected' : 'no service is configured', {
      hint: 'Run `lanyard status` to see the services.',
    });
  return chosen;
}

const servicesOf = (chosen: readonly Kind[]): readonly ServiceName[] =>
  serviceNames.filter((name) => chosen.some(({ service }) => service === name));

function report({ skipped, warnings }: Pick<Exported, 'skipped' | 'warnings'>, { output }: Context): void {
  for (const { kind, name, reason } of skipped)
    output.warn(`not exported: ${kind}${name === undefined ? '' : ` ${name}`}: ${reason}`);
  for (const warning of warnings) output.warn(warning);
}

/** Names what the files do not contain, unless kinds were chosen. */
async function reportLeftOut(
  found: Exported,
  { chosen, isFiltered }: { readonly chosen: readonly Kind[]; readonly isFiltered: boolean },
  ctx: Context,
): Promise<readonly LeftOut[]> {
  if (isFiltered) return [];
  const line = await ctx.output.progress('counting objects that are not exported');
  try {
    const leftOut = await countLeftOut(ctx.api, servicesOf(chosen), found);
    if (leftOut.length > 0) ctx.output.warn(leftOutText(leftOut));
    return leftOut;
  } finally {
    line.stop();
  }
}

function warnOfOtherSets({ objects }: Exported, id: string, { output }: Context): void {
  const bySet = Map.groupBy(objects, ({ setId = id }) => setId);
  bySet.delete(id);
  for (const [other, { length: count }] of bySet)
    output.warn(
      `${count === 1 ? '1 object belongs' : `${count} objects belong`} to set ${other}: "apply" needs --take-over`,
    );
}

function countByKind({ objects }: Exported): Readonly<Record<string, number>> {
  const byKind = Map.groupBy(objects, ({ kind }) => kind.name);
  return Object.fromEntries([...byKind].map(([name, { length }]) => [name, length]));
}

const summary = (
  directory: string,
  counts: Readonly<Record<string, number>>,
  { written, unchanged }: { readonly written: number; readonly unchanged: number },
): readonly Block[] => [
  reportTable(
    ['KIND', { title: 'OBJECTS', align: 'right' }],
    Object.entries(counts).map(([kind, objects]) => [kind, String(objects)]),
    'No objects.',
  ),
  text(`Wrote ${countText(written, 'file')} in `, code(directory), `; ${unchanged} unchanged.`),
];
