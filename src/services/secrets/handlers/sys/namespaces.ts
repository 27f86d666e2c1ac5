import type { Json } from '../../../../wire/json.ts';
import type { CoreHandler, Paths } from '../../backend.ts';
import { notFound } from '../../errors.ts';
import { mapField } from '../../fields.ts';
import { object } from '../../help/field.ts';
import type { Namespace, Namespaces } from '../../model/namespaces.ts';

/** `sys/namespaces`: the namespaces directly below this one. */
export function namespacePaths(paths: Paths, namespaces: Namespaces, path: string): Paths {
  const write: CoreHandler = async ({ data }, { name = '' }) => {
    const metadata = mapField(data, 'custom_metadata');
    return { data: showNamespace(await namespaces.put(path, name, metadata)) };
  };
  return paths
    .on('namespaces', 'List the namespaces directly below this one.', {
      list() {
        const all = namespaces.children(path).map((each) => [each.path.slice(path.length), each] as const);
        return {
          data: {
            keys: all.map(([name]) => name),
            key_info: Object.fromEntries(all.map(([name, each]) => [name, showNamespace(each)])),
          },
        };
      },
    })
    .on(
      'namespaces/:name',
      'Show, create or delete a namespace.',
      {
        read(_request, { name = '' }) {
          const namespace = namespaces.get(`${path}${name}/`);
          if (!namespace) throw notFound();
          return { data: showNamespace(namespace) };
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

function showNamespace({ id, path, metadata }: Namespace): { readonly [name: string]: Json } {
  return { id, path, custom_metadata: { ...metadata } };
}
