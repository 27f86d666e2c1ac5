import type { HttpRequest } from '../../http/service.ts';
import { identify, type Target } from '../admission.ts';
import type { Core } from '../core.ts';
import type { PathDescription } from '../engine.ts';
import type { Mount } from '../mounts.ts';
import * as refuse from '../refusals.ts';
import { truthOf } from '../request.ts';
import { openApi } from './openapi.ts';
import { sshPaths } from './ssh.ts';

/** Whether a request asks for help on its path instead of its content. @throws Refusal 400 */
export function helpWanted(request: HttpRequest): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && truthOf(request.query, 'help');
}

/**
 * The help facility (docs/protocol/secrets.md#help): a text, and an OpenAPI document for the path and those
 * below it, relative to the path. It requires any capability on the path.
 * @throws Refusal 403, 404: no such path
 */
export function helpOn(core: Core, request: HttpRequest, target: Target, version: string): object {
  const { acl } = identify(core, request, target).caller;
  const { within, namespace, full } = target;
  if (acl.capabilities(within).size === 0 && acl.capabilities(`${within}/`).size === 0) throw refuse.denied();
  const queried = within === '' ? [] : within.split('/');
  const served = namespace.mounts.list().flatMap((mount) => pathsBelow(mount, queried));
  if (served.length === 0) throw target.mount ? refuse.unsupportedPath() : refuse.noRoute(full);
  const help = served.map(({ path, summary }) => `${path}\n    ${summary}\n`).join('\n');
  return { help, see_also: null, openapi: openApi(full, served, version) };
}

/** The descriptions of a mount's paths at and below the queried path, relative to it. */
function pathsBelow(mount: Mount, queried: readonly string[]): PathDescription[] {
  const at = mount.path.slice(0, -1).split('/');
  return describe(mount)
    .map((each) => ({ each, rest: remainder([...at, ...each.path.split('/')], queried) }))
    .flatMap(({ each, rest }) => (rest ? [{ ...each, path: `/${rest.join('/')}` }] : []));
}

function describe({ backend }: Mount): readonly PathDescription[] {
  return backend.describe?.() ?? (backend.type === 'ssh' ? sshPaths : []);
}

/** The rest of a pattern after a path that it begins with; undefined: it does not. */
function remainder(pattern: readonly string[], path: readonly string[]): readonly string[] | undefined {
  for (const [index, segment] of path.entries()) {
    const wanted = pattern[index];
    if (wanted === undefined) return undefined;
    if (wanted.startsWith('*')) return [];
    if (!wanted.startsWith(':') && wanted !== segment) return undefined;
  }
  return pattern.slice(path.length);
}
