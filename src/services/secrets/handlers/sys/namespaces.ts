import { orNotFound } from '../../errors.ts';
import { mapField } from '../../fields.ts';
import { object } from '../../help/field.ts';
import type { Resource } from '../../resource.ts';
import { showNamespace } from '../../views.ts';
import type { SysContext } from './context.ts';

/** `sys/namespaces`: the namespaces directly below this one. */

export const all: Resource<SysContext> = {
  summary: 'List the namespaces directly below this one.',
  list({ namespaces, path }) {
    const children = namespaces.children(path).map((each) => [each.path.slice(path.length), each] as const);
    return {
      data: {
        keys: children.map(([name]) => name),
        key_info: Object.fromEntries(children.map(([name, each]) => [name, showNamespace(each)])),
      },
    };
  },
};

export const one: Resource<SysContext> = {
  summary: 'Show, create or delete a namespace.',
  fields: { custom_metadata: object('Custom metadata.') },
  read: ({ namespaces, path }, _request, name) => ({
    data: showNamespace(orNotFound(namespaces.get(`${path}${name}/`))),
  }),
  async write({ namespaces, path }, { data }, name) {
    return { data: showNamespace(await namespaces.put(path, name, mapField(data, 'custom_metadata'))) };
  },
  delete: ({ namespaces, path }, _request, name) => namespaces.delete(`${path}${name}/`),
};
