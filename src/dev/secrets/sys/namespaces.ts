import type { Json } from '../../../wire/json.ts';
import type { CoreHandler, Paths } from '../backend.ts';
import { mapField } from '../fields.ts';
import { object } from '../help/field.ts';
import type { Namespace, Namespaces } from '../namespaces.ts';
import { nothing } from '../refusals.ts';

/** `sys/namespaces`: the namespaces directly below this one. */
export function namespacePaths(paths: Paths, namespaces: Namespaces, path: string): Paths {
  const write: CoreHandler = async ({ data }, { name = '' }) => {
    const metadata = mapField(data, 'custom_metadata');
    return { data: shown(await namespaces.put(path, name, metadata)) };
  };
  return paths
    .on('namespaces', 'List the namespaces directly below this one.', {
      list() {
        const all = namespaces.below(path).map((each) => [each.path.slice(path.length), each] as const);
        return {
          data: {
            keys: all.map(([name]) => name),
            key_info: Object.fromEntries(all.map(([name, each]) => [name, shown(each)])),
          },
        };
      },
    })
    .on(
      'namespaces/:name',
      'Show, create or delete a namespace.',
      {
        read(_request, { name = '' }) {
          const found = namespaces.get(`${path}${name}/`);
          if (!found) throw nothing();
          return { data: shown(found) };
        },
        update: write,
        async delete(_request, { name = '' }) {
          await namespaces.delete(`${path}${name}/`);
          return undefined;
        },
      },
      { custom_metadata: object('Custom metadata.') },
    );
}

function shown({ id, path, metadata }: Namespace): { readonly [name: string]: Json } {
  return { id, path, custom_metadata: { ...metadata } };
}
