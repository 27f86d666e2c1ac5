import { describe, expect, test } from 'vitest';
import { guarded as guardedRegistry } from './support.ts';

async function guarded() {
  const all = await guardedRegistry();
  const idOf = async (body: object) => {
    const { ID } = await all.manage('POST', 'query', body);
    expect(ID).toBeTypeOf('string');
    return String(ID);
  };
  /** Requests with the token of this secret ID; without one, anonymous. */
  const getter = (secret?: string) => (path: string) =>
    all.ask('GET', path, secret === undefined ? {} : { headers: { 'X-Registry-Token': secret } });
  return { ...all, idOf, getter, getAsRoot: getter(String(all.bootstrapped.SecretID)) };
}

type Get = Awaited<ReturnType<typeof guarded>>['getAsRoot'];

const Service = { Service: 'web' };
const Template = { Type: 'name_prefix_match' };
const filteredBy = 'x-registry-results-filtered-by-acls';

describe('permissions of prepared queries', () => {
  test('are by name, both the current and the new one', async () => {
    const { holder, idOf } = await guarded();
    const { send } = await holder(
      'query_prefix "mine" { policy = "write" } query "seen" { policy = "read" }',
    );
    expect(await send.status('POST', 'query', { Name: 'mine-1', Service })).toBe(200);
    expect(await send('POST', 'query', { Name: 'other', Service })).toMatch(
      /^403 .*lacks permission 'query:write' on "other"/,
    );
    const seen = await idOf({ Name: 'seen', Service });
    const other = await idOf({ Name: 'other', Service });
    for (const [method, path, Name, status] of [
      ['GET', `query/${seen}`, undefined, 200],
      ['GET', 'query/seen/explain', undefined, 200],
      ['PUT', `query/${seen}`, 'mine-2', 403],
      ['DELETE', `query/${seen}`, undefined, 403],
      ['GET', `query/${other}`, undefined, 403],
      ['GET', 'query/other/explain', undefined, 403],
      ['PUT', `query/${other}`, 'mine-3', 403],
      ['GET', 'query/other/execute', undefined, 200],
    ] as const)
      expect(await send.status(method, path, Name && { Name, Service }), `${method} ${path}`).toBe(status);
  });

  test('a template that applies to all names needs a token that may write all of them', async () => {
    const { holder } = await guarded();
    const create = async (rules: string, Name: string) =>
      (await holder(rules)).send.status('POST', 'query', { Name, Template, Service });
    expect(await create('query_prefix "a" { policy = "write" }', '')).toBe(403);
    expect(await create('query_prefix "a" { policy = "write" }', 'a')).toBe(200);
    expect(await create('query_prefix "" { policy = "write" }', '')).toBe(200);
  });

  test('a list has only readable queries, and reports omissions', async () => {
    const { holder, idOf, manage, ask, getter, getAsRoot } = await guarded();
    const { ID: Session } = await manage('PUT', 'session/create');
    const unnamed = await idOf({ Session, Service });
    for (const Name of ['a', 'ab', 'b']) await idOf({ Name, Service });
    const listed = async (get: Get) => {
      const { json, headers } = await get('query');
      const found = json as unknown as { readonly Name: string }[];
      return [found.map(({ Name }) => Name).sort(), headers[filteredBy]];
    };
    expect(await listed(getAsRoot)).toEqual([['', 'a', 'ab', 'b'], undefined]);
    const some = await holder('query_prefix "a" { policy = "read" }');
    expect(await listed(getter(some.secret))).toEqual([['a', 'ab'], 'true']);
    const all = await holder('query_prefix "" { policy = "read" }');
    expect(await listed(getter(all.secret))).toEqual([['a', 'ab', 'b'], undefined]);
    expect(await some.send.status('GET', `query/${unnamed}`)).toBe(200);
    expect(await some.send.status('GET', `query/${unnamed}/explain`)).toBe(200);
    expect((await ask('GET', 'query')).text).toBe('[]');
  });

  test('a stored token is shown only to those who manage tokens, and executes the query', async () => {
    const { holder, idOf, manage, anonymous, getter, getAsRoot } = await guarded();
    const web = { Node: 'n1', Address: '10.0.0.1', Service: { Service: 'web' } };
    await manage('PUT', 'catalog/register', web);
    await manage('PUT', 'catalog/register', { ...web, Node: 'n2' });
    const { secret } = await holder('service "web" { policy = "read" } node "n1" { policy = "read" }');
    const reader = await holder('query_prefix "" { policy = "read" }');
    const ID = await idOf({ Name: 'web', Token: secret, Service });
    await idOf({ Name: 'bare', Service });
    const token = async (get: Get, path: string) => /"Token":"([^"]+)"/.exec((await get(path)).text)?.[1];
    for (const path of [`query/${ID}`, 'query', 'query/web/explain']) {
      expect(await token(getAsRoot, path)).toBe(secret);
      expect(await token(getter(reader.secret), path)).toBe('<hidden>');
    }
    const executed = async (get: Get, name: string) => {
      const { json, headers } = await get(`query/${name}/execute`);
      const { Nodes } = json as unknown as { Nodes: { Node: { Node: string } }[] };
      return [Nodes.map(({ Node }) => Node.Node).sort(), headers[filteredBy]];
    };
    expect(await executed(getter(), 'web')).toEqual([['n1'], 'true']);
    expect(await executed(getAsRoot, 'web')).toEqual([['n1'], 'true']);
    expect(await executed(getter(), 'bare')).toEqual([[], 'true']);
    expect(await executed(getter(secret), 'bare')).toEqual([['n1'], 'true']);
    expect(await executed(getAsRoot, 'bare')).toEqual([['n1', 'n2'], undefined]);
    await manage('PUT', `query/${ID}`, { Name: 'web', Token: 'no-such-token', Service });
    expect(await anonymous('GET', 'query/web/execute')).toBe('403 ACL not found');
  });

  test('a query that cannot be read is denied without its name', async () => {
    const { idOf, holder } = await guarded();
    const id = await idOf({ Name: 'hidden', Service });
    const { send } = await holder('node "n" { policy = "read" }');
    expect(await send('GET', `query/${id}`)).toBe('403 Permission denied');
  });
});
