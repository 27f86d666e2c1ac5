import { describe, expect, test } from 'vitest';
import { engines } from '../../../../src/services/secrets/engines.ts';
import { decorated } from './engine-calls.ts';
import { denied, outcome, secrets } from './support.ts';

interface Operation {
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}
interface PathItem extends Partial<Readonly<Record<'get' | 'post' | 'patch' | 'delete', Operation>>> {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
}
interface Help {
  readonly help: string;
  readonly see_also: null;
  readonly openapi: { readonly paths: Readonly<Record<string, PathItem>> };
}

async function helped() {
  const service = await secrets({ engines });
  const help = async (path: string) => {
    const reply = await service.get(`${path}?help=1`);
    expect(reply.status, path).toBe(200);
    return reply.json as unknown as Help;
  };
  return { ...service, help };
}

describe('help', () => {
  test('is a text and an OpenAPI document of the path and those below it', async () => {
    const { help } = await helped();
    const { help: text, see_also: none, openapi } = await help('ssh');
    expect(text).toContain('Sign a public key with a role.');
    expect(none).toBeNull();
    expect(openapi).toMatchObject({ openapi: '3.0.2', info: { title: 'Secrets service', version: '9.8.7' } });
    const content = { 'application/json': { schema: { type: 'object', required: ['public_key'] } } };
    expect(openapi.paths['/sign/{name}']?.post).toMatchObject({ requestBody: { required: true, content } });
    expect(openapi.paths['/config/ca']?.post).toMatchObject({
      parameters: [{ name: 'X-Secrets-Recover-Snapshot-Id', in: 'header', required: false }],
    });
  });

  test.each([
    ['ssh/roles', '/ /{name}'],
    ['ssh/roles/', '/ /{name}'],
    ['ssh/roles/web', '/'],
    [
      'sys/leases',
      '/lookup /lookup/{prefix} /renew /revoke /revoke/{id} /revoke-prefix/{prefix} /revoke-force/{prefix}',
    ],
    ['sys/mounts/a/b', '/'],
  ])('has paths relative to %s: %s', async (path, paths) => {
    const { help } = await helped();
    expect(Object.keys((await help(path)).openapi.paths)).toEqual(paths.split(' '));
  });

  test.each(['ssh', 'sys', 'identity', 'auth', 'auth/approle', 'auth/jwt', 'auth/userpass', 'auth/token'])(
    'of %s has operations and the parameters of each path',
    async (part) => {
      const { help, post } = await helped();
      for (const type of ['userpass', 'approle', 'jwt']) await post(`sys/auth/${type}`, { type });
      const { paths } = (await help(part)).openapi;
      expect(Object.keys(paths).length).toBeGreaterThan(1);
      for (const [path, item] of Object.entries(paths)) {
        expect(path).toMatch(/^\/([\w{}-]+(\/[\w{}-]+)*)?$/);
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        expect(item.parameters ?? [], path).toMatchObject(
          names.map((name) => ({ name, in: 'path', required: true })),
        );
        const operations = [item.get, item.post, item.patch, item.delete].filter(
          (each) => each !== undefined,
        );
        expect(operations.length, path).toBeGreaterThan(0);
        for (const { responses } of operations)
          for (const { description } of Object.values(responses)) expect(description).not.toBe('');
      }
      const shapes = Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
      expect(new Set(shapes).size).toBe(shapes.length);
    },
  );

  test('requires permission on the path', async () => {
    const { get, tokenWith } = await helped();
    const token = await tokenWith('path "ssh/sign/web" { capabilities = ["update"] }');
    expect((await get('ssh/sign/web?help=1', token)).status).toBe(200);
    for (const path of ['ssh', 'ssh/roles/web', 'nowhere', 'ssh/public_key']) {
      expect(outcome(await get(`${path}?help=1`, token)), path).toBe(denied);
    }
    expect((await get('ssh/sign/web?help=1', null)).status).toBe(403);
    expect(outcome(await get('ssh/none?help=1'))).toBe(`404 ${decorated('unsupported path')}`);
    expect((await get('nowhere?help=1')).status).toBe(404);
    expect((await get('sys/health?help=1')).json).toHaveProperty('openapi');
    expect((await get('sys/health?help=1', null)).status).toBe(403);
    expect((await get('sys/mounts?help=0')).json).toHaveProperty('request_id');
    expect((await get('sys/mounts?help=maybe')).status).toBe(400);
  });
});
