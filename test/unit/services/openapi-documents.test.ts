import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, test } from 'vitest';
import { routes as accountsRoutes } from '../../../src/services/accounts/routes.ts';
import { boxRoutes } from '../../../src/services/box/routes.ts';
import { routesOf } from '../../../src/services/core/openapi/document.ts';
import { descriptionOf, openApiOf } from '../../../src/services/openapi.ts';
import { registryRoutes } from '../../../src/services/registry/routes.ts';
import { schedulerRoutes } from '../../../src/services/scheduler/routes.ts';
import { Routes } from '../../../src/services/secrets/resource.ts';
import * as secretsRoutes from '../../../src/services/secrets/routes.ts';
import { type ServiceName, serviceNames } from '../../../src/wire/services.ts';
import { newAjv, resolved, type Schema, schemasFor } from '../../support/openapi.ts';

type Item = Readonly<Record<string, unknown>>;

interface Operation extends Item {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
}

interface Document extends Item {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, { readonly description: string }>>;
  };
}

/** The methods and patterns of the route table; `*` rejects all other methods. */
const tables: Readonly<Record<Exclude<ServiceName, 'secrets'>, readonly string[]>> = {
  scheduler: schedulerRoutes().routes,
  accounts: accountsRoutes.routes,
  box: boxRoutes().routes,
  registry: registryRoutes().routes,
};

const eachMethod = (routes: readonly string[]): string[] =>
  routes.flatMap((route) => {
    const [methods = '', pattern] = route.split(' ');
    return methods === '*' ? [] : methods.split('|').map((method) => `${method} ${pattern}`);
  });

describe.each(serviceNames)('the OpenAPI document of %s', (service) => {
  let document: Document;
  let operations: readonly Operation[];
  beforeAll(async () => {
    document = (await openApiOf(service, '1.2.3')) as unknown as Document;
    operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  });

  test('is valid', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document) as never);
    expect({ valid, errors, version: validator.version }).toEqual({
      valid: true,
      errors: undefined,
      version: '3.1',
    });
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
  });

  test('has schemas that a strict validator accepts', () => {
    const ajv = newAjv();
    const components = schemasFor(service, document.components.schemas);
    for (const [name, schema] of Object.entries(components)) ajv.addSchema(schema, name);
    for (const name of Object.keys(components)) expect(ajv.getSchema(name), name).toBeTypeOf('function');
    const inline = schemasIn(document.paths);
    expect(inline.length).toBeGreaterThan(operations.length);
    for (const schema of inline) ajv.compile(resolved(service, schema));
  });

  test('describes every error', () => {
    const { responses = {} } = document.components;
    const described = Object.values(responses).map(({ description }) => description);
    expect(described.length).toBeGreaterThan(0);
    expect(described).not.toContain('Error.');
  });

  test('refers to every component', () => {
    const text = JSON.stringify(document);
    const unused = Object.entries(document.components).flatMap(([kind, components]) =>
      kind === 'securitySchemes'
        ? []
        : Object.keys(components)
            .map((name) => `#/components/${kind}/${name}`)
            .filter((pointer) => !text.includes(`"${pointer}"`)),
    );
    expect(unused).toEqual([]);
  });

  test('has operations with unique IDs, a known tag and a short summary', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
    const tags = document.tags.map(({ name }) => name);
    expect(new Set(operations.flatMap((operation) => operation.tags))).toEqual(new Set(tags));
    expect(operations.filter(({ summary }) => summary.length > 120 || summary.endsWith('.'))).toEqual([]);
  });

  test('has every route, and no other', async () => {
    const described = routesOf(await descriptionOf(service)).map(
      ({ method, pattern }) => `${method} ${pattern}`,
    );
    const served = service === 'secrets' ? secretsOperations() : eachMethod(tables[service]);
    expect([...described].sort()).toEqual([...new Set(served)].sort());
  });
});

function schemasIn(value: unknown): Schema[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    name === 'schema' ? [each as Schema] : schemasIn(each),
  );
}

/** Where the document has the routes of the secrets service. */
const mounts: Readonly<Record<string, string>> = {
  serviceStateRoutes: 'sys',
  sysRoutes: 'sys',
  rootSysRoutes: 'sys',
  tokenRoutes: 'auth/token',
  cubbyholeRoutes: 'cubbyhole',
  identityRoutes: 'identity',
  userpassRoutes: 'auth/userpass',
  approleRoutes: 'auth/approle',
  jwtRoutes: 'auth/jwt',
  unversionedRoutes: 'kv',
  versionedRoutes: 'secret',
  sshRoutes: 'ssh',
};

/** The methods of the paths of all mounts, as OpenAPI has them. */
function secretsOperations(): string[] {
  const tablesOfMounts = Object.entries(secretsRoutes).filter(([, table]) => table instanceof Routes);
  expect(tablesOfMounts.map(([name]) => name).sort()).toEqual(Object.keys(mounts).sort());
  const methods: Readonly<Record<string, string>> = {
    ...{ read: 'GET', list: 'GET', scan: 'GET', patch: 'PATCH', delete: 'DELETE' },
    ...{ create: 'POST', update: 'POST', recover: 'POST' },
  };
  return tablesOfMounts.flatMap(([name, { descriptions }]) =>
    descriptions.flatMap(({ path, operations }) =>
      operations.map((operation) => `${methods[operation]} v1/${mounts[name]}/${path}`),
    ),
  );
}
