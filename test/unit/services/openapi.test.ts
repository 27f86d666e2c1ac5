import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/wire/json.ts';
import { home } from '../../support/run.ts';
import { services, type TestServices } from '../../support/services.ts';
import { call } from './support.ts';

const at = home();
let running: TestServices;

beforeAll(async () => {
  running = await services(at);
  for (const type of ['userpass', 'approle', 'jwt']) await write(`sys/auth/${type}`, { type });
  await write('sys/mounts/plain', { type: 'kv', options: { version: '1' } });
  await write('sys/namespaces/team', {});
  await write('team/sys/mounts/shell', { type: 'ssh' });
});

afterAll(async () => {
  await running.close();
  at.remove();
});

const ask = (method: string, path: string, body?: object) =>
  call(running.addresses.secrets, method, `/v1/${path}`, { token: running.rootToken, body });

async function write(path: string, body: object): Promise<void> {
  expect((await ask('POST', path, body)).status, path).toBeLessThan(300);
}

type Document = Record<string, unknown> & { readonly paths: Readonly<Record<string, unknown>> };

async function documentOf(path: string): Promise<Document> {
  const reply = await ask('GET', `${path}?help=1`);
  expect(reply.status, path).toBe(200);
  return reply.json?.openapi as unknown as Document;
}

/** The result of an independent validator. */
async function validity(document: Document) {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  return { valid, errors, version: validator.version };
}

describe('the OpenAPI document of', () => {
  test.for([
    ['', '/ssh/sign/{name}'],
    ['sys', '/mounts/{path}'],
    ['ssh', '/sign/{name}'],
    ['secret', '/data/{key}'],
    ['plain', '/{key}'],
    ['auth', '/token/lookup-self'],
    ['auth/token', '/create'],
    ['auth/userpass', '/login/{username}'],
    ['auth/approle', '/role/{role_name}'],
    ['auth/jwt', '/login'],
    ['identity', '/entity'],
    ['ssh/roles/web', '/'],
    ['secret/metadata/a/deep/path/of/a/secret', '/'],
    ['team/shell', '/sign/{name}'],
  ] as const)('/v1/%s is valid, and has %s', async ([path, has]) => {
    const document = await documentOf(path);
    expect(await validity(document)).toEqual({ valid: true, errors: undefined, version: '3.0' });
    expect(Object.keys(document.paths)).toContain(has);
  });

  test('an invalid path is rejected by the validator', async () => {
    const document = await documentOf('ssh');
    const broken = { ...document, paths: { ...document.paths, 'no-slash': { get: {} } } };
    expect((await validity(broken)).valid).toBe(false);
  });

  test('the SSH engine is printed by `secrets help ssh --openapi`', async () => {
    for (const flags of [[], ['-o', 'json']]) {
      const ran = await at.run(['secrets', 'help', 'ssh', '--openapi', ...flags]);
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(parseJson(ran.stdout)).toEqual(await documentOf('ssh'));
    }
  });
});
