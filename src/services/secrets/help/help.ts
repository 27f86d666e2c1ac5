import type { HttpRequest } from '../../core/http/http-service.ts';
import { authenticate } from '../auth.ts';
import { booleanParameter } from '../call.ts';
import type { Core } from '../core.ts';
import type { PathDescription } from '../engine.ts';
import * as errors from '../errors.ts';
import type { Mount } from '../model/mounts.ts';
import type { Target } from '../target.ts';
import { openApi } from './openapi.ts';

/** Whether a request asks for help on its path instead of its content. @throws SecretsError 400 */
export function isHelpRequest(request: HttpRequest): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && booleanParameter(request.query, 'help');
}

/** A text and an OpenAPI document of a path and those below, for any capability on it. @throws SecretsError 403, 404 */
export function helpResponse(core: Core, request: HttpRequest, target: Target, version: string): object {
  const { acl } = authenticate(core, request, target).caller;
  const { namespacePath, namespace, fullPath } = target;
  if (acl.capabilities(namespacePath).size === 0 && acl.capabilities(`${namespacePath}/`).size === 0)
    throw errors.permissionDenied();
  const queried = namespacePath === '' ? [] : namespacePath.split('/');
  const served = namespace.mounts.list().flatMap((mount) => pathsBelow(mount, queried));
  if (served.length === 0) throw target.mount ? errors.unsupportedPath() : errors.routeNotFound(fullPath);
  const help = served.map(({ path, summary }) => `${path}\n    ${summary}\n`).join('\n');
  return { help, see_also: null, openapi: openApi(fullPath, served, version) };
}

/** The descriptions of a mount's paths at and below the queried path, relative to it. */
function pathsBelow(mount: Mount, queried: readonly string[]): PathDescription[] {
  const mountSegments = mount.path.slice(0, -1).split('/');
  const descriptions = mount.backend.describe?.() ?? [];
  return descriptions
    .map((each) => ({ each, rest: remainder([...mountSegments, ...each.path.split('/')], queried) }))
    .flatMap(({ each, rest }) => (rest ? [{ ...each, path: `/${rest.join('/')}` }] : []));
}

/** The rest of a pattern after a path that it begins with; undefined: it does not. */
function remainder(pattern: readonly string[], path: readonly string[]): readonly string[] | undefined {
  for (const [index, segment] of path.entries()) {
    const patternSegment = pattern[index];
    if (patternSegment === undefined) return undefined;
    if (patternSegment.startsWith('*')) return [];
    if (!patternSegment.startsWith(':') && patternSegment !== segment) return undefined;
  }
  return pattern.slice(path.length);
}
