import type { RegistryClient } from '../../../api/registry.ts';
import { askedDatacenter, type InDatacenter, sharedDatacenter } from '../../../api/registry-datacenter.ts';
import { arg, command, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { confirmWrite, partiallyAppliedError, usage } from '../../../errors.ts';
import { diff, type Written, writtenView } from '../../../output/diff.ts';
import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { casConflict } from '../lib/cas-conflict.ts';
import { findConfigEntry, type Named, titleOf } from '../lib/config-entry.ts';

interface Entry extends Named {
  /** As in the file, without the fields that the registry sets. */
  readonly fields: { readonly [name: string]: Json };
}

interface WrittenEntry extends Named, Written {}

export default command({
  description:
    'FILE has one entry in JSON, YAML or HCL, as of "consul config write", or several: a JSON array or YAML documents, which are written in their order. Top-level fields that are not in the file are unchanged; null resets one, --replace all. With --cas nothing is written if the entry was changed since it was read.',
  examples: [
    'lanyard registry config put web-resolver.hcl',
    'lanyard registry config put entries.yaml --dry-run',
  ],
  service: 'registry',
  writes: 'after reads',
  returnsList: () => true,
  args: { file: arg.text('FILE|-', 'entries, or - for standard input', { completes: 'file' }) },
  flags: {
    cas: flag.integer('N', 'write only if N is the current ModifyIndex (0: the entry must not exist)'),
    replace: flag.boolean('reset all fields that are not in the file'),
    dc: flag.datacenter('datacenter'),
  },
  async run({ args, flags }, ctx) {
    const entries = await readEntries(args.file, ctx);
    if (flags.cas !== undefined && entries.length > 1) throw usage('--cas requires a file with one entry');
    const registry = await ctx.api.registry();
    const dc = await sharedDatacenter(registry, await askedDatacenter(flags.dc, ctx.api), 'config entries');
    const target = { cas: flags.cas, isReplaced: flags.replace, dc };
    const written: WrittenEntry[] = [];
    await ctx.output.sequentially(entries, async (entry) => {
      try {
        written.push(await writeEntry(registry, entry, target));
      } catch (error) {
        throw partiallyAppliedError(
          error,
          written.map((each) => `${titleOf(each)}: written`),
        );
      }
    });
    return {
      data: written,
      rows: written,
      document: written.flatMap((entry) => writtenView(entry.kind, entry.name, entry)),
    };
  },
});

/** The names of entries whose kind has only one: Consul rejects a name of mesh, and completes the name of proxy-defaults. */
const singleNames: Readonly<Record<string, string>> = { mesh: 'mesh', 'proxy-defaults': 'global' };

const serverManagedFields = /^(createindex|modifyindex|create_index|modify_index|hash)$/i;

async function readEntries(file: string, ctx: Context): Promise<readonly Entry[]> {
  const { name: shown, definitions } = await ctx.input.readDefinitions(file, { takesHcl: true });
  return definitions.map(({ value, lineOf }) => {
    const place = `${shown}, line ${lineOf([])}`;
    if (!isObject(value)) throw usage(`${place}: expected an object with Kind and Name`);
    const kind = value.Kind ?? value.kind;
    const name = value.Name ?? value.name ?? singleNames[String(kind)];
    if (typeof kind !== 'string' || kind === '') throw usage(`${place}: Kind is missing`);
    if (typeof name !== 'string' || name === '') throw usage(`${place}: Name is missing`);
    const fields = Object.entries(value).filter(([field]) => !serverManagedFields.test(field));
    return { kind, name, fields: Object.fromEntries(fields) };
  });
}

interface Target {
  readonly cas: number | undefined;
  readonly isReplaced: boolean;
  readonly dc: InDatacenter;
}

/** Merges the fields of a file into the stored ones. The file may use the field names of the API or of configuration files. */
function mergedFields(stored: object, given: Entry['fields']): object {
  const foldName = (name: string): string => name.replaceAll('_', '').toLowerCase();
  const names = Object.keys(given).map(foldName);
  return Object.fromEntries([
    ...Object.entries(stored).filter(([name]) => !names.includes(foldName(name))),
    ...Object.entries(given).filter(([, value]) => value !== null),
  ]);
}

async function writeEntry(
  registry: RegistryClient,
  { kind, name, fields }: Entry,
  { cas: given, isReplaced, dc }: Target,
): Promise<WrittenEntry> {
  const named = { kind, name };
  const before = await findConfigEntry(registry, named, dc);
  // The registry does not check the index of a write that equals the stored entry.
  const index = Number(before?.ModifyIndex ?? 0);
  if (given !== undefined && index !== given)
    throw await casConflict(titleOf(named), given, async () => before);
  // What is kept must be what was read.
  const cas = given ?? (before && !isReplaced ? index : undefined);
  const merged = mergedFields(isReplaced ? {} : withoutManaged(before ?? {}), fields);
  const response = await confirmWrite(
    () => registry.writeEntry({ ...merged, cas, ...dc }),
    async () => {
      const after = await findConfigEntry(registry, named, dc);
      const isWritten = after !== undefined && after.ModifyIndex !== before?.ModifyIndex;
      return { done: isWritten, found: `${titleOf(named)} is unchanged` };
    },
  );
  if (response?.body === false && cas !== undefined)
    throw await casConflict(titleOf(named), cas, () => findConfigEntry(registry, named, dc));
  const after = await findConfigEntry(registry, named, dc);
  return {
    ...named,
    created: before === undefined,
    changes: diff(withoutManaged(before ?? {}), withoutManaged(after ?? {})),
  };
}

const withoutManaged = (entry: object): object =>
  Object.fromEntries(Object.entries(entry).filter(([field]) => !serverManagedFields.test(field)));
