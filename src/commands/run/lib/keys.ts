import type { RegistryClient } from '../../../api/registry.ts';
import type { KvEntry } from '../../../api/registry-kv.ts';
import type { SourceValues } from '../../../command/supervised-run.ts';
import { notFound, usage } from '../../../errors.ts';
import type { Source } from '../../../watch/watch.ts';
import { bytesOf, findEntry, orEmpty, textOf } from '../../registry/lib/kv.ts';
import { keySource, keysSource } from '../../registry/lib/sources.ts';

/** What a path of `--key` names: one key, or all keys below a prefix that ends with `/`. */
export type KeyForm = { readonly key: string } | { readonly prefix: string };

interface KeyValues {
  readonly form: KeyForm;
  readonly items: SourceValues['items'];
}

/**
 * The values of a key, by its last segment, or of the keys below a prefix, by the path below it. A path without `/` at its
 * end is a key if one of this name exists, else a prefix.
 *
 * @param known the form that an earlier read found.
 * @throws LanyardError not found; usage: a value that is not text.
 */
export async function readKeyValues(
  registry: RegistryClient,
  path: string,
  known?: KeyForm,
): Promise<KeyValues> {
  if (!path.endsWith('/') && !(known && 'prefix' in known)) {
    const entry = await findEntry(registry, path, {});
    if (entry) return { form: { key: path }, items: keyItems([entry], { key: path }) };
    if (known) throw notFound(`key "${path}" not found`);
  }
  const form = { prefix: path.endsWith('/') ? path : `${path}/` };
  const entries = await orEmpty(registry.readKeys(form));
  if (entries.length === 0)
    throw notFound(`no key named "${path}" and no keys below it`, {
      service: 'registry',
      hint: 'Run `lanyard registry kv list` for the existing keys.',
    });
  return { form, items: keyItems(entries, form) };
}

/** Watches what a path names. */
export const keyValuesSource = (registry: RegistryClient, form: KeyForm): Source<readonly KvEntry[]> =>
  'prefix' in form ? keysSource(registry, form.prefix, {}) : listOf(keySource(registry, form.key, {}));

/** A source of one entry as a source of several. */
function listOf({ read, confirm }: Source<KvEntry>): Source<readonly KvEntry[]> {
  type Read = Awaited<ReturnType<typeof read>>;
  const asList = ({ value, ...reading }: Read) => ({
    ...reading,
    value: value === undefined ? undefined : [value],
  });
  return {
    read: async (after, signal) => asList(await read(after, signal)),
    ...(confirm && { confirm: async (signal) => asList(await confirm(signal)) }),
  };
}

/**
 * The items of entries. Keys that end with `/` are folders of user interfaces and have no value.
 *
 * @throws LanyardError usage: a value that is not text.
 */
export function keyItems(entries: readonly KvEntry[], form: KeyForm): SourceValues['items'] {
  const start = 'prefix' in form ? form.prefix.length : form.key.lastIndexOf('/') + 1;
  const values = entries.filter(({ Key }) => !Key.endsWith('/') || 'key' in form);
  return Object.fromEntries(
    values.map((entry) => {
      const value = textOf(bytesOf(entry));
      if (value === undefined)
        throw usage(`cannot use the value of key "${entry.Key}": it is not valid UTF-8`, {
          hint: `Run \`lanyard registry kv get ${entry.Key} --out FILE\` to write it to a file.`,
        });
      return [entry.Key.slice(start), value];
    }),
  );
}
