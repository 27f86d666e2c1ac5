import { mapInSlices, objectInSlices } from '../../../core/in-slices.ts';
import type { EngineRequest, EngineResponse } from '../../engine.ts';
import { badRequest, orNotFound } from '../../errors.ts';
import { mapField, objectField } from '../../fields.ts';
import { object } from '../../help/field.ts';
import type { Namespace } from '../../model/namespaces.ts';
import type { Resource } from '../../resource.ts';
import { showNamespace } from '../../views.ts';
import type { SysContext } from './context.ts';

/** `sys/namespaces`: the namespaces directly below this one. */

export const all: Resource<SysContext> = {
  summary: 'List the namespaces directly below this one, or scan all below it.',
  list: ({ namespaces, path }) => showAll(path, namespaces.children(path)),
  scan({ namespaces, path }) {
    const below = namespaces.all().filter((each) => each.path !== path && each.path.startsWith(path));
    return showAll(
      path,
      below.sort((a, b) => (a.path < b.path ? -1 : 1)),
    );
  },
};

async function showAll(path: string, all: readonly Namespace[]): Promise<EngineResponse> {
  const named = await mapInSlices(all, (each) => [each.path.slice(path.length), each] as const);
  return {
    data: {
      keys: named.map(([name]) => name),
      key_info: await objectInSlices(named, ([name, each]) => [name, showNamespace(each)]),
    },
  };
}

export const one: Resource<SysContext> = {
  summary: 'Show, create, change or delete a namespace.',
  fields: { custom_metadata: object('Custom metadata.') },
  read: ({ namespaces, path }, _request, name) => ({
    data: showNamespace(orNotFound(namespaces.get(`${path}${name}/`))),
  }),
  async write({ namespaces, path }, { data }, name) {
    const metadata = mapField(data, 'custom_metadata') ?? {};
    return { data: showNamespace(await namespaces.put(path, name, () => metadata)) };
  },
  async patch({ namespaces, path }, { data }, name) {
    if (!namespaces.get(`${path}${name}/`)) throw badRequest('namespace not found');
    if (data.custom_metadata === null) {
      return { data: showNamespace(await namespaces.put(path, name, () => ({}))) };
    }
    const changes = objectField(data, 'custom_metadata') ?? {};
    const removed = Object.keys(changes).filter((key) => changes[key] === null);
    const set = mapField({ set: omit(changes, removed) }, 'set') ?? {};
    const patch = (metadata: Namespace['metadata']) => ({ ...omit(metadata, removed), ...set });
    return { data: showNamespace(await namespaces.put(path, name, patch)) };
  },
  async delete({ namespaces, path }, _request, name) {
    const existed = await namespaces.delete(`${path}${name}/`);
    if (!existed) return { warnings: ['requested namespace does not exist'] };
    // As the product, which deletes after the response; here everything is deleted before it.
    return { data: { status: 'in-progress' } };
  },
};

function rejectPath(_context: SysContext, _request: EngineRequest, path: string): never {
  if (path.startsWith('api-lock/')) throw badRequest('locking namespaces is not supported');
  throw badRequest('namespace name cannot contain /');
}

/** Locks, seals and keys of a namespace are not supported; a namespace below another is managed in that one. */
export const below: Resource<SysContext> = {
  summary: 'Rejected: manage a namespace in the one above it.',
  read: rejectPath,
  write: rejectPath,
  patch: rejectPath,
  delete: rejectPath,
};

const omit = <Value>(from: Readonly<Record<string, Value>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));
