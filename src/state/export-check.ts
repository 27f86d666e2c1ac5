import { join } from 'node:path';
import { type Block, bad, code, type Document, dim, good, strong, text, warn } from '../output/document.ts';
import { formatJson, type Json } from '../wire/json.ts';
import { compact } from '../wire/objects.ts';
import { compare, type FieldChange, fieldName, pointerOf, pointerSteps } from './compare.ts';
import type { StateDocument } from './documents.ts';
import type { Exported, ExportedObject, Skipped } from './export.ts';
import type { StateInput } from './input.ts';
import { asObject, type Identity, type Kind, objectLabel } from './kind.ts';
import { isSame } from './normalize.ts';
import { objectId } from './order.ts';

/** An object, and the file that has or would have its document. */
interface Checked {
  readonly kind: Kind;
  readonly identity: Identity;
  readonly file: string;
}

/** What an export would change in the files. */
export interface ExportCheck {
  /** Objects that no file states. */
  readonly added: readonly (Checked & { readonly setId: string | undefined })[];
  /** `before`: in the file; `after`: of the service. */
  readonly changed: readonly (Checked & { readonly changes: readonly FieldChange[] })[];
  /** Documents of objects that do not exist. */
  readonly gone: readonly Checked[];
  readonly unchanged: number;
  readonly ignored: number;
  readonly skipped: readonly Skipped[];
}

/**
 * Compares the files in a directory with what an export would write. Spellings of the same value are equal.
 *
 * @param isExported whether every object of the kind of a document was read
 */
export function checkExport(
  directory: string,
  { objects, skipped, ignored }: Exported,
  { documents }: Pick<StateInput, 'documents'>,
  isExported: (document: StateDocument) => boolean,
): ExportCheck {
  const byId = new Map(documents.map((document) => [objectId(document.kind, document.identity), document]));
  const seen = new Set<string>();
  const added: ExportCheck['added'][number][] = [];
  const changed: ExportCheck['changed'][number][] = [];
  for (const object of objects) {
    const { kind, identity, setId } = object;
    const id = objectId(kind, identity);
    seen.add(id);
    const document = byId.get(id);
    if (!document) {
      added.push({ kind, identity, file: join(directory, object.path), setId });
      continue;
    }
    const changes = changesOf(document, object);
    if (changes.length > 0) changed.push({ kind, identity, file: document.source.file, changes });
  }
  const gone = documents
    .filter((document) => isExported(document) && document.metadata.ensure !== 'absent')
    .filter(({ kind, identity }) => !seen.has(objectId(kind, identity)))
    .map(({ kind, identity, source }) => ({ kind, identity, file: source.file }));
  return { added, changed, gone, unchanged: seen.size - added.length - changed.length, ignored, skipped };
}

function changesOf(
  document: StateDocument,
  { document: exported, unstated }: ExportedObject,
): readonly FieldChange[] {
  const { kind, metadata, spec } = document;
  if (metadata.ensure === 'absent')
    return [
      { path: '/metadata/ensure', action: 'update', before: 'absent', after: 'present', isSensitive: false },
    ];
  const ignored: readonly Json[] = Array.isArray(metadata.ignore) ? metadata.ignore : [];
  const pointers = new Set(ignored.map((each) => pointerOf(kind.schema, pointerSteps(String(each)))));
  const wanted = asObject(exported.metadata);
  const fields = compare(kind.schema, asObject(exported.spec), spec, {
    isExact: true,
    stated: new Set(),
    ignored: pointers,
    showsSecrets: wanted.sensitive === false && metadata.sensitive === false,
  });
  const missing = unstated
    .map((path) => pointerOf(kind.schema, path))
    .filter((path) => ![...pointers].some((each) => path === each || path.startsWith(`${each}/`)))
    .map((path): FieldChange => ({ path, action: 'add', isSensitive: true }));
  return [...metadataChanges(kind, metadata, wanted), ...fields, ...missing];
}

/** Of what a user may add to `metadata`; names and scopes are the same object. */
function metadataChanges(
  { scope }: Kind,
  found: Readonly<Record<string, Json>>,
  wanted: Readonly<Record<string, Json>>,
): readonly FieldChange[] {
  const names = new Set([...Object.keys(found), ...Object.keys(wanted)]);
  const others = [...names].filter((name) => name !== 'name' && !scope.some((field) => field.name === name));
  return others.flatMap((name): readonly FieldChange[] => {
    const [before, after] = [found[name], wanted[name]];
    if (isSame(before, after)) return [];
    const action = before === undefined ? 'add' : after === undefined ? 'remove' : 'update';
    return [{ path: `/metadata/${name}`, action, ...compact({ before, after }), isSensitive: false }];
  });
}

export const hasDifferences = ({ added, changed, gone }: ExportCheck): boolean =>
  added.length + changed.length + gone.length > 0;

/** The differences as data. No values of secrets. */
export function checkData({ added, changed, gone, unchanged, ignored, skipped }: ExportCheck) {
  const named = ({ kind, identity: { scope, key }, file }: Checked) => ({
    id: { kind: kind.name, scope, key },
    file,
  });
  return {
    added: added.map((each) => ({ ...named(each), ...compact({ set: each.setId }) })),
    changed: changed.map((each) => ({
      ...named(each),
      changes: each.changes.map(({ path, action, before, after, isSensitive }) => ({
        path,
        action,
        ...compact({ before, after }),
        sensitive: isSensitive,
      })),
    })),
    gone: gone.map(named),
    unchanged,
    ignored,
    skipped,
  };
}

/** One line for each file, with the fields that differ, and a line that counts them. */
export function checkDocument(directory: string, check: ExportCheck): Document {
  const { added, changed, gone, unchanged, ignored } = check;
  const line = (sign: ReturnType<typeof good>, each: Checked, note = ''): Block =>
    text(sign, ' ', code(each.file), dim(`  ${objectLabel(each)}${note}`.replaceAll('\n', '\\n')));
  return [
    ...added.map((each) => line(good('+'), each, each.setId === undefined ? '' : ` (set ${each.setId})`)),
    ...changed.flatMap((each) => [line(warn('~'), each), ...each.changes.map(changeLine)]),
    ...gone.map((each) => line(bad('-'), each, ' does not exist')),
    ...(hasDifferences(check) ? [text('')] : []),
    text(
      strong('Check: '),
      `${added.length} new, ${changed.length} changed, ${gone.length} gone, ${unchanged} unchanged in `,
      code(directory),
      `.${ignored > 0 ? ` ${ignored} ignored.` : ''}`,
    ),
  ];
}

const maxValueLength = 60;

function changeLine({ path, action, before, after, isSensitive }: FieldChange): Block {
  const sign = { add: good('+'), update: warn('~'), remove: bad('-') }[action];
  const name = path.startsWith('/spec/') ? fieldName(path) : path.slice(1).replaceAll('/', '.');
  if (isSensitive) {
    const what = { add: 'secret added', update: 'secret changed', remove: 'secret removed' }[action];
    return text('    ', sign, ` ${name}  `, dim(`(${what})`));
  }
  const values = [before, after].map((value) => (value === undefined ? '(not set)' : formatJson(value)));
  const isShort = values.every((value) => value.length <= maxValueLength);
  return text('    ', sign, ` ${name}`, ...(isShort ? [': ', dim(values[0] ?? ''), ` → ${values[1]}`] : []));
}
