import { expect, test } from 'vitest';
import { openApiOf } from '../../src/services/openapi.ts';
import { allOperations, operationNamed } from '../support/reached-operations.ts';
import { routeOf } from '../support/routes.ts';

/** Operations of OpenBao that the embedded service does not have. */
const unsupported =
  /^secrets\.(listIssuers|readIssuer|import(Named)?Issuer|setDefaultIssuer|renameIssuer|deleteIssuer|makeOidcUrl|finishOidcLogin)$/;

/** Their paths are documented as a part of others: URLs that the registry hands out, and what a `{path}` ends with. */
const within =
  /^(box\.(probeImage|confirmUpload)|secrets\.(findMountIn|(read)?(EngineTuning|AuthMethodTuning)|tune(Engine|AuthMethod)))$/;

/** Methods that OpenAPI has no word for. */
const inDocuments: Readonly<Record<string, string>> = { LIST: 'get', SCAN: 'get', RECOVER: 'post' };

test.each(allOperations.filter((name) => !within.test(name)))(
  '%s is reached by a route of the embedded service',
  async (name) => {
    const { service, method, path } = operationNamed(name);
    const { paths } = await openApiOf(service, '1');
    const route = routeOf(path);
    const found = Object.entries(paths).some(
      ([each, methods]) => route.test(each) && (inDocuments[method] ?? method.toLowerCase()) in methods,
    );
    expect(found).toBe(!unsupported.test(name));
  },
);
