import { arg, command, flag } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { LanyardError, usage } from '../errors.ts';
import { code, raw, text } from '../output/document.ts';
import type { StateDocument } from '../state/documents.ts';
import { type ExportedObject, exportObjects } from '../state/export.ts';
import { documentText, targetOf } from '../state/export-files.ts';
import { readExistingState, readStateFiles, type StateInput } from '../state/input.ts';
import { type Kind, labelOf } from '../state/kind.ts';
import { findKind, kindNames } from '../state/kinds.ts';
import { objectId } from '../state/order.ts';
import { formatPosition, problemsError } from '../state/problems.ts';
import { checkKinds } from '../state/session-options.ts';

const secretsPolicies = ['unmanaged', 'env', 'file'] as const;

export default command({
  description:
    'Reads the object from the service, and writes it as "export" does: into DIR/SERVICE/KIND/NAME.yaml, into FILE (*.yaml or *.yml), or to standard output. NAME is the name that "plan" shows, or the name without namespace or mount if it is unique. A document that exists is replaced only with --force, and keeps its metadata and references.',
  examples: [
    'lanyard import scheduler.variable app state',
    'lanyard import scheduler.variable app - --secrets env',
  ],
  waitsForRateLimits: true,
  namespaceOf: 'secrets',
  changes: ['files'],
  args: {
    kind: arg.text('KIND', 'kind of the object, such as scheduler.variable', { completes: kindNames }),
    name: arg.text('NAME', 'name of the object, as shown by "plan"'),
    target: arg.text('DIR|FILE|-', 'directory or file to write; - for standard output', {
      completes: 'file',
    }),
  },
  flags: {
    secrets: flag.choice(
      secretsPolicies,
      'secrets in the document: unmanaged (default, no values), or references to variables or to DIR/.secrets.json',
    ),
    values: flag.boolean('write the value of a registry key, unless its file says "sensitive: true"'),
    force: flag.boolean('replace the document of the object'),
  },
  async run({ args: { kind: kindName, name, target }, flags }, ctx) {
    checkKinds([kindName]);
    const kind = findKind(kindName);
    if (!kind) throw usage(`unknown kind "${kindName}"`);
    const isFile = target !== '-' && !(await ctx.files.isDirectory(target)) && /\.ya?ml$/i.test(target);
    if (flags.secrets === 'file' && (isFile || target === '-'))
      throw usage('--secrets file requires a directory');
    const existing = target === '-' ? undefined : await readExisting(target, isFile, ctx);
    const found = await exportObjects(
      ctx.api,
      {
        kinds: [kind],
        secrets: flags.secrets ?? 'unmanaged',
        values: flags.values,
        skipsForbidden: false,
        existing: existing?.documents ?? [],
        record: undefined,
        isChosen: (identity) => identity.key === name || labelOf(kind, identity) === name,
      },
      ctx.output,
    );
    for (const { reason, name: skipped } of found.skipped)
      ctx.output.warn(`${kind.name} ${skipped}: ${reason}`);
    for (const warning of found.warnings) ctx.output.warn(warning);
    const object = onlyObject(kind, name, found.objects);
    const content = await documentText(object);
    if (target === '-') return { data: object.document, document: [raw(content)] };
    const document = existing?.documents.find(
      (each) => objectId(each.kind, each.identity) === objectId(kind, object.identity),
    );
    if (document) requireReplaceable(document, existing, flags.force);
    else if (isFile && existing) throw usage(`${target} has documents of other objects`);
    const { path, root, directories } = targetOf(object, { target, isFile, file: document?.source.file });
    await ctx.files.createDirectory(root);
    await ctx.files.createDirectories(root, directories);
    await ctx.files.write([{ path, content, replace: document !== undefined }]);
    return {
      data: {
        kind: kind.name,
        name: labelOf(kind, object.identity),
        file: path,
        references: found.references,
      },
      document: [text('Wrote ', code(path), '.')],
    };
  },
});

async function readExisting(target: string, isFile: boolean, ctx: Context): Promise<StateInput | undefined> {
  const existing = !isFile
    ? await readExistingState(target, ctx)
    : (await ctx.files.exists(target))
      ? await readStateFiles([target], ctx, { allowsUnknownFields: true })
      : undefined;
  if (existing && existing.problems.length > 0) throw problemsError(existing.problems);
  return existing;
}

/** @throws LanyardError not_found; usage: several objects have the name. */
function onlyObject(kind: Kind, name: string, objects: readonly ExportedObject[]): ExportedObject {
  const exact = objects.filter(({ identity }) => labelOf(kind, identity) === name);
  const [object, ...others] = exact.length > 0 ? exact : objects;
  if (!object)
    throw new LanyardError('not_found', `cannot import ${kind.name} "${name}": not found`, {
      service: kind.service,
      hint: 'Run `lanyard export - --kind KIND` to see the objects of a kind. Built-in objects cannot be imported.',
    });
  if (others.length === 0) return object;
  throw usage(`several objects of kind ${kind.name} have the name "${name}"`, {
    details: objects.map(({ identity }) => labelOf(kind, identity)),
    hint: 'Use one of these names.',
  });
}

/** @throws LanyardError usage: the document may not be replaced. */
function requireReplaceable(document: StateDocument, existing: StateInput | undefined, force: boolean): void {
  const { file } = document.source;
  const place = formatPosition(document.source);
  if (!force)
    throw usage(`a document of the object exists: ${place}`, { hint: 'Use --force to replace it.' });
  const others = [...(existing?.documents ?? []), ...(existing?.set ? [existing.set] : [])].filter(
    ({ source }) => source.file === file,
  );
  if (document.isComposed || others.length > 1)
    throw usage(`cannot replace the document at ${place}`, {
      hint: document.isComposed
        ? 'It is merged with a base, or has values of the set.'
        : `${file} has other documents.`,
    });
}
