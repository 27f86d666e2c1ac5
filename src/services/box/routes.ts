import { Router } from '../core/http/router.ts';
import type { Operation } from '../core/operation.ts';
import type { Context, Handler } from './call.ts';
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

/** Every route of the box registry, by HTTP method; `api/v2` has the same routes (docs/protocol/box.md#architectures). */
export function boxRoutes(): Router<Handler> {
  const routes = new Router<Handler>()
    .on('GET', ':username/:name', getMetadata)
    .on('GET', 'api/v2/vagrant/:username/:name', { ...getMetadata, id: 'getMetadataV2' })
    .on('GET', ':username/boxes/:name/versions/:version/providers/:file', getImageFile)
    .on(
      'GET',
      ':username/boxes/:name/versions/:version/providers/:provider/:architecture/vagrant.box',
      getImage,
    );
  addApiRoutes(routes, 'api/v1', '');
  addApiRoutes(routes, 'api/v2', 'V2');
  return routes;
}

/** @param suffix makes the IDs of the operations unique */
function addApiRoutes(routes: Router<Handler>, base: string, suffix: string): void {
  const box = `${base}/box/:username/:name`;
  const version = `${box}/version/:version`;
  const on = (method: string, path: string, operation: Operation<Context>) =>
    routes.on(method, path, { ...operation, id: `${operation.id}${suffix}` });
  on('POST', `${base}/authenticate`, createToken);
  on('GET', `${base}/authenticate`, validateToken);
  on('DELETE', `${base}/authenticate`, deleteToken);
  on('POST', `${base}/two-factor/request-code`, requestCode);
  on('GET', `${base}/user/:username`, getOwner);
  on('POST', `${base}/organizations`, createOrganization);
  on('GET', `${base}/search`, search);
  on('POST', `${base}/boxes`, createBox);
  on('GET', box, getBox);
  on('PUT', box, updateBox);
  on('DELETE', box, deleteBox);
  on('POST', `${box}/versions`, versions.createVersion);
  on('GET', version, versions.getVersion);
  on('PUT', version, versions.updateVersion);
  on('DELETE', version, versions.deleteVersion);
  on('PUT', `${version}/release`, versions.releaseVersion);
  on('PUT', `${version}/revoke`, versions.revokeVersion);
  on('POST', `${version}/providers`, createProvider);
  const providerRoutes: [method: string, path: string, operation: Operation<Context>][] = [
    ['GET', '', getProvider],
    ['PUT', '', updateProvider],
    ['DELETE', '', deleteProvider],
    ['GET', '/upload', prepareUpload],
    ['GET', '/upload/direct', prepareDirectUpload],
    ['PUT', '/upload/direct/:upload', confirmUpload],
  ];
  for (const [method, path, operation] of providerRoutes) {
    on(method, `${version}/provider/:provider${path}`, operation);
    on(method, `${version}/provider/:provider/:architecture${path}`, {
      ...operation,
      id: `${operation.id}ForArchitecture`,
      summary: operation.summary.replace('the default', 'an'),
    });
  }
}
