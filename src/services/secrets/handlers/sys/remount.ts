import { readSegment, splitPath } from '../../../core/http/path.ts';
import * as s from '../../../core/schema/types.ts';
import { badRequest, orNotFound } from '../../errors.ts';
import { requireSudo } from '../../resource.ts';
import { copied } from '../../returns.ts';
import { type SysContext, sysResource } from './context.ts';

/** `sys/remount`: moves a mount (docs/protocol/secrets.md#mounts). */

export const remount = sysResource({
  summary: 'Move a secrets engine or an auth method to another path.',
  fields: {
    from: s.required(s.string('The path of the mount.')),
    to: s.required(s.string('The new path.')),
  },
  returns: { write: copied(s.object({ migration_id: s.string() })) },
  async write(context, request) {
    requireSudo(request, 'sys/remount');
    const from = readPath(context, request.input.from, 'source');
    const to = readPath(context, request.input.to, 'destination');
    if (!from || !to) throw badRequest("both 'from' and 'to' path must be specified as a string");
    checkPaths(from.path, to.path);
    if (from.namespace !== to.namespace)
      throw badRequest('moving a mount to another namespace is not supported');
    await from.namespace.mounts.move(from.path, to.path);
    const id = await context.migrations.add(from.path, to.path);
    return { data: { migration_id: id } };
  },
});

export const remountStatus = sysResource({
  summary: 'Show the state of a move.',
  returns: {
    read: s.object({
      migration_id: s.string(),
      migration_info: s.object({ source_mount: s.string(), target_mount: s.string(), status: s.string() }),
    }),
  },
  read({ migrations }, _request, id) {
    const { source, target } = orNotFound(migrations.get(id));
    return {
      data: {
        migration_id: id,
        migration_info: { source_mount: source, target_mount: target, status: 'success' },
      },
    };
  },
});

/** The namespace of a path, and the rest with a trailing slash; undefined: no path. */
function readPath({ namespaces, path: own }: SysContext, given: string, noun: string) {
  if (!given) return undefined;
  const relative = given.replace(/^\/+|\/+$/g, '');
  if (relative === '') throw badRequest(`invalid ${noun} mount path "/"`);
  const segments = splitPath(`${own}${relative}`).map((each) => readSegment(encodeURIComponent(each)));
  const { namespace, rest } = namespaces.resolve(segments);
  return { namespace, path: `${rest.join('/')}/` };
}

/** The parts of the service, and the prefix of the auth methods. */
const protectedPaths = ['auth/', 'cubbyhole/', 'identity/', 'sys/'];
const isProtected = (path: string) => protectedPaths.some((each) => path.startsWith(each));

/** @throws SecretsError 400: a part of the service, or a secrets engine and an auth method */
function checkPaths(from: string, to: string): void {
  if (to === '/') throw badRequest('path already in use by a namespace');
  if (from.startsWith('auth/')) {
    if (from === 'auth/token/') throw badRequest(`cannot remount "${from}"`);
    if (!/^auth\/[^/]/.test(to)) throw badRequest(`cannot remount auth mount to non-auth mount "${to}"`);
    if (to.startsWith('auth/token/')) throw badRequest(`cannot remount to destination ${to}`);
    return;
  }
  if (isProtected(from)) throw badRequest(`cannot remount "${from}"`);
  if (isProtected(to)) throw badRequest(`cannot remount to destination ${to}`);
}
