import { Router } from '../core/http/router.ts';
import type { Handler } from './call.ts';
import { createBox, deleteBox, getBox, updateBox } from './handlers/boxes.ts';
import { getImage, getImageFile } from './handlers/download.ts';
import { getMetadata } from './handlers/metadata.ts';
import { createOrganization } from './handlers/organizations.ts';
import { createProvider, deleteProvider, getProvider, updateProvider } from './handlers/providers.ts';
import { search } from './handlers/search.ts';
import { createToken, deleteToken, requestCode, validateToken } from './handlers/tokens.ts';
import { confirmUpload, prepareDirectUpload, prepareUpload } from './handlers/uploads.ts';
import { getOwner } from './handlers/users.ts';
import * as versions from './handlers/versions.ts';

/** A login ignores the token of the request, which may be expired. */
export const unauthenticatedHandlers: ReadonlySet<Handler> = new Set<Handler>([createToken, requestCode]);

/** Every route of the box registry, by HTTP method; `api/v2` has the same routes (docs/protocol/box.md#architectures). */
export function boxRoutes(): Router<Handler> {
  const routes = new Router<Handler>()
    .on('GET', ':username/:name', getMetadata)
    .on('GET', 'api/v2/vagrant/:username/:name', getMetadata)
    .on('GET', ':username/boxes/:name/versions/:version/providers/:file', getImageFile)
    .on(
      'GET',
      ':username/boxes/:name/versions/:version/providers/:provider/:architecture/vagrant.box',
      getImage,
    );
  for (const base of ['api/v1', 'api/v2']) addApiRoutes(routes, base);
  return routes;
}

function addApiRoutes(routes: Router<Handler>, base: string): void {
  const box = `${base}/box/:username/:name`;
  const version = `${box}/version/:version`;
  routes
    .on('POST', `${base}/authenticate`, createToken)
    .on('GET', `${base}/authenticate`, validateToken)
    .on('DELETE', `${base}/authenticate`, deleteToken)
    .on('POST', `${base}/two-factor/request-code`, requestCode)
    .on('GET', `${base}/user/:username`, getOwner)
    .on('POST', `${base}/organizations`, createOrganization)
    .on('GET', `${base}/search`, search)
    .on('POST', `${base}/boxes`, createBox)
    .on('GET', box, getBox)
    .on('PUT', box, updateBox)
    .on('DELETE', box, deleteBox)
    .on('POST', `${box}/versions`, versions.createVersion)
    .on('GET', version, versions.getVersion)
    .on('PUT', version, versions.updateVersion)
    .on('DELETE', version, versions.deleteVersion)
    .on('PUT', `${version}/release`, versions.releaseVersion)
    .on('PUT', `${version}/revoke`, versions.revokeVersion)
    .on('POST', `${version}/providers`, createProvider);
  for (const provider of [`${version}/provider/:provider`, `${version}/provider/:provider/:architecture`]) {
    routes
      .on('GET', provider, getProvider)
      .on('PUT', provider, updateProvider)
      .on('DELETE', provider, deleteProvider)
      .on('GET', `${provider}/upload`, prepareUpload)
      .on('GET', `${provider}/upload/direct`, prepareDirectUpload)
      .on('PUT', `${provider}/upload/direct/:upload`, confirmUpload);
  }
}
