import { describe, expect, test } from 'vitest';
import { engines } from '../../../../src/services/secrets/engines.ts';
import { decorated } from './engine-calls.ts';
import { denied, outcome, secrets } from './support.ts';

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}
type PathItem = Readonly<Record<'get' | 'post' | 'patch' | 'delete', Operation | undefined>> & {
  readonly parameters?: Operation['parameters'];
};
interface Help {
  readonly help: string;
  readonly see_also: null;
  readonly openapi: {
    readonly openapi: string;
    readonly info: { readonly title: string; readonly version: string };
    readonly paths: Readonly<Record<string, PathItem>>;
  };
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
    expect(openapi.paths['/sign/{name}']?.post).toMatchObject({
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object', required: ['public_key'] } } },
      },
    });
    expect(openapi.paths['/config/ca']?.post?.parameters).toEqual([
      expect.objectContaining({ name: 'X-Secrets-Recover-Snapshot-Id', in: 'header', required: false }),
    ]);
  });

  test('has paths relative to the requested one', async () => {
    const { help } = await helped();
    const paths = async (path: string) => Object.keys((await help(path)).openapi.paths);
    expect(await paths('ssh/roles')).toEqual(['/', '/{name}']);
    expect(await paths('ssh/roles/')).toEqual(['/', '/{name}']);
    expect(await paths('ssh/roles/web')).toEqual(['/']);
    expect(await paths('sys/leases')).toEqual([
      ...[
        '/lookup',
        '/lookup/{prefix}',
        '/renew',
        '/revoke',
        '/revoke/{id}',
        '/revoke-prefix/{prefix}',
        '/revoke-force/{prefix}',
      ],
    ]);
    expect(await paths('auth')).toContain('/token/lookup-self');
    expect(await paths('sys/mounts/a/b')).toEqual(['/']);
  });

  test('exists for every part of the service, and each document is consistent', async () => {
    const { help, post } = await helped();
    for (const type of ['userpass', 'approle', 'jwt']) await post(`sys/auth/${type}`, { type });
    for (const path of [
      'ssh',
      'sys',
      'identity',
      'auth',
      'auth/approle',
      'auth/jwt',
      'auth/userpass',
      'auth/token',
    ]) {
      const { openapi } = await help(path);
      expect(Object.keys(openapi.paths).length, path).toBeGreaterThan(1);
      for (const [name, item] of Object.entries(openapi.paths)) {
        expect(name).toMatch(/^\/([\w{}-]+(\/[\w{}-]+)*)?$/);
        const wanted = [...name.matchAll(/\{(\w+)\}/g)].map(([, each]) => each);
        expect(
          (item.parameters ?? []).map((each) => each.name),
          name,
        ).toEqual(wanted);
        expect(item.parameters?.every((each) => each.in === 'path' && each.required) ?? true).toBe(true);
        const operations = [item.get, item.post, item.patch, item.delete].filter(
          (each) => each !== undefined,
        );
        expect(operations.length, name).toBeGreaterThan(0);
        for (const { responses } of operations) {
          for (const answer of Object.values(responses)) expect(answer.description).not.toBe('');
        }
      }
      const shapes = Object.keys(openapi.paths).map((name) => name.replace(/\{\w+\}/g, '{}'));
      expect(new Set(shapes).size).toBe(shapes.length);
    }
  });

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
