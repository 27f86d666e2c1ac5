import type { Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/schema/types.ts';
import type { PathDescription } from '../engine.ts';
import type { Routes } from '../resource.ts';
import { type Returns, returns } from '../returns.ts';
import { describedField, mapFields, methodsOf } from './methods.ts';

interface MountDescription {
  /** `ssh`, `auth/userpass`. */
  readonly path: string;
  readonly tag: string;
  readonly routes: Pick<Routes<never, never>, 'descriptions' | 'access'>;
}

/** The operations of the paths of a mount, from the same descriptions as the help. */
export const mountOperations = (mount: MountDescription): Operations =>
  Object.fromEntries(mount.routes.descriptions.flatMap((path) => pathOperations(mount, path)));

function pathOperations(mount: MountDescription, description: PathDescription) {
  const { path, summary, operations, fields, errors, returns: of } = description;
  const sample = path.replace(/[:*]\w+/g, 'name');
  const reads = operations.includes('read');
  const body = s.object(mapFields(fields, describedField));
  const isBodyOptional = !Object.values(fields).some(({ isRequired }) => isRequired);
  const specs = {
    GET: {
      verb: reads ? 'read' : 'list',
      returned: getReturns(description),
      // Without `list`.
      ...(!reads && { errors: [405] }),
    },
    POST: {
      verb: 'write',
      returned: of.write,
      body: description.hasAnyFields ? s.open(body) : body,
      isBodyOptional,
      ...(errors.length > 0 && { errors }),
    },
    PATCH: {
      verb: 'patch',
      returned: of.patch,
      body: s.object(mapFields(fields, ({ isRequired: _, ...type }) => describedField(type))),
      content: { type: 'application/merge-patch+json', schema: {} },
      isBodyOptional: true,
      errors: [415],
    },
    DELETE: { verb: 'delete', returned: of.delete },
  };
  return methodsOf(description, 'X-Vault').map(({ method, query, headers }) => {
    const { verb, returned, ...spec } = specs[method];
    const access = mount.routes.access(method === 'GET' ? 'read' : 'update', sample);
    const operation = {
      id: idOf(verb, mount.path, path),
      tag: mount.tag,
      summary: summary.replace(/[.;:].*$/, ''),
      ...(/[;:]/.test(summary) && { description: summary }),
      ...(access !== 'token' && { isUnauthenticated: true }),
      responses: returned.responses,
      ...(query && { query }),
      ...(headers && { headers }),
      ...spec,
    };
    return [`${method} v1/${mount.path}/${path}`, operation] as const;
  });
}

/** `readSysMountsByPath`. */
function idOf(verb: string, mount: string, path: string): string {
  const words = `${mount}/${path}`
    .split('/')
    .map((segment) =>
      segment
        .replace(/^[:*]/, 'by-')
        .replace(/(?:^|[-_])(\w)/g, (_all, letter: string) => letter.toUpperCase()),
    );
  return `${verb}${words.join('')}`;
}

/** A read and a list have the same method. */
function getReturns({ operations, returns: { read, list } }: PathDescription): Returns {
  const lists = operations.includes('list') || operations.includes('scan');
  if (!lists || read === list) return read;
  if (!operations.includes('read')) return list;
  return read.data && list.data ? returns(s.either(read.data, list.data)) : read;
}
