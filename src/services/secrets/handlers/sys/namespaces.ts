import type { JsonObject } from '../../../../wire/json.ts';
import { mapInSlices, objectInSlices } from '../../../core/in-slices.ts';
import * as s from '../../../core/schema/types.ts';
import type { EngineRequest, EngineResponse } from '../../engine.ts';
import { badRequest, orNotFound } from '../../errors.ts';
import type { Namespace } from '../../model/namespaces.ts';
import { keys, orEmpty, rejected } from '../../returns.ts';
import { type SysContext, sysResource } from './context.ts';

const shownNamespace = s.named(
  'Namespace',
  s.object({
    id: s.string(),
    uuid: s.string(),
    path: s.string(),
    custom_metadata: s.map(s.string()),
    locked: s.boolean(),
    tainted: s.boolean(),
  }),
);

export const all = sysResource({
  summary: 'List the namespaces directly below this one, or scan all below it.',
  returns: { list: keys({ key_info: s.map(shownNamespace) }) },
  list: ({ namespaces, path }) => showAll(path, namespaces.children(path)),
  scan({ namespaces, path }) {
    const below = namespaces.all().filter((each) => each.path !== path && each.path.startsWith(path));
    return showAll(
      path,
      below.sort((a, b) => (a.path < b.path ? -1 : 1)),
    );
  },
});

async function showAll(path: string, all: readonly Namespace[]): Promise<EngineResponse> {
  const named = await mapInSlices(all, (each) => [each.path.slice(path.length), each] as const);
  return {
    data: {
      keys: named.map(([name]) => name),
      key_info: await objectInSlices(named, ([name, each]) => [name, showNamespace(each)]),
    },
  };
}

export const one = sysResource({
  summary: 'Show, create, change or delete a namespace.',
  fields: { custom_metadata: s.optional(s.map(s.nullable(s.string()), 'Custom metadata.')) },
  returns: {
    read: shownNamespace,
    write: shownNamespace,
    delete: orEmpty(s.object({ status: s.string() })),
  },
  read: ({ namespaces, path }, _request, name) => ({
    data: showNamespace(orNotFound(namespaces.get(`${path}${name}/`))),
  }),
  async write({ namespaces, path }, { input }, name) {
    const metadata = withoutNulls(input.custom_metadata ?? {});
    return { data: showNamespace(await namespaces.put(path, name, () => metadata)) };
  },
  async patch({ namespaces, path }, { input, data }, name) {
    if (!namespaces.get(`${path}${name}/`)) throw badRequest('namespace not found');
    if (data.custom_metadata === null) {
      return { data: showNamespace(await namespaces.put(path, name, () => ({}))) };
    }
    const { custom_metadata: changes = {} } = input;
    const patch = (metadata: Namespace['metadata']) => withoutNulls({ ...metadata, ...changes });
    return { data: showNamespace(await namespaces.put(path, name, patch)) };
  },
  async delete({ namespaces, path }, _request, name) {
    const existed = await namespaces.delete(`${path}${name}/`);
    if (!existed) return { warnings: ['requested namespace does not exist'] };
    // As the product, which deletes after the response; here everything is deleted before it.
    return { data: { status: 'in-progress' } };
  },
});

function rejectPath(_context: SysContext, _request: EngineRequest, path: string): never {
  if (path.startsWith('api-lock/')) throw badRequest('locking namespaces is not supported');
  throw badRequest('namespace name cannot contain /');
}

/** Locks, seals and keys of a namespace are not supported; a namespace below another is managed in that one. */
export const below = sysResource({
  summary: 'Rejected: manage a namespace in the one above it.',
  returns: { read: rejected, write: rejected, delete: rejected },
  read: rejectPath,
  write: rejectPath,
  patch: rejectPath,
  delete: rejectPath,
});

const withoutNulls = (from: Readonly<Record<string, string | null>>) =>
  Object.fromEntries(
    Object.entries(from).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );

function showNamespace({ id, uuid, path, metadata }: Namespace): JsonObject {
  return { id, uuid, path, custom_metadata: { ...metadata }, locked: false, tainted: false };
}
