import { describe, expect, test } from 'vitest';
import { registry } from './support.ts';

/** A registry whose access control is bootstrapped. */
async function guarded() {
  const open = await registry();
  const { json } = await open.ask('PUT', 'acl/bootstrap');
  /** A caller with a token; without one, the anonymous one. */
  const caller = (secret: string) => {
    const headers: Record<string, string> = secret === '' ? {} : { 'X-Registry-Token': secret };
    return (method: string, path: string, body?: unknown) => open.ask(method, path, { body, headers });
  };
  const root = String(json?.SecretID);
  const manage = caller(root);
  let made = 0;
  const holder = async (Rules: string) => {
    const Name = `policy-${++made}`;
    await manage('PUT', 'acl/policy', { Name, Rules });
    const { json } = await manage('PUT', 'acl/token', { Policies: [{ Name }] });
    const secret = String(json?.SecretID);
    return { say: caller(secret), secret };
  };
  const idOf = async (body: object) => {
    const { json, text } = await manage('POST', 'query', body);
    expect(json?.ID, text).toBeTypeOf('string');
    return String(json?.ID);
  };
  return { ...open, manage, holder, anonymous: caller(''), idOf };
}

const Service = { Service: 'web' };
const Template = { Type: 'name_prefix_match' };
const filteredBy = 'x-registry-results-filtered-by-acls';

describe('permissions of prepared queries', () => {
  test('are by name, of the old one and the new one', async () => {
    const { holder, idOf } = await guarded();
    const { say } = await holder('query_prefix "mine" { policy = "write" } query "seen" { policy = "read" }');
    expect((await say('POST', 'query', { Name: 'mine-1', Service })).status).toBe(200);
    const denied = await say('POST', 'query', { Name: 'other', Service });
    expect([denied.status, denied.text]).toEqual([
      403,
      expect.stringContaining(`lacks permission 'query:write' on "other"`),
    ]);
    const seen = await idOf({ Name: 'seen', Service });
    const other = await idOf({ Name: 'other', Service });
    const status = async (method: string, path: string, body?: unknown) =>
      (await say(method, path, body)).status;
    expect(await status('GET', `query/${seen}`)).toBe(200);
    expect(await status('GET', 'query/seen/explain')).toBe(200);
    expect(await status('PUT', `query/${seen}`, { Name: 'mine-2', Service })).toBe(403);
    expect(await status('DELETE', `query/${seen}`)).toBe(403);
    expect(await status('GET', `query/${other}`)).toBe(403);
    expect(await status('GET', 'query/other/explain')).toBe(403);
    expect(await status('PUT', `query/${other}`, { Name: 'mine-3', Service })).toBe(403);
    expect(await status('GET', 'query/other/execute')).toBe(200);
  });

  test('a template that applies to all names needs a token that may write all of them', async () => {
    const { holder } = await guarded();
    const some = await holder('query_prefix "a" { policy = "write" }');
    const all = await holder('query_prefix "" { policy = "write" }');
    expect((await some.say('POST', 'query', { Name: '', Template, Service })).status).toBe(403);
    expect((await some.say('POST', 'query', { Name: 'a', Template, Service })).status).toBe(200);
    expect((await all.say('POST', 'query', { Name: '', Template, Service })).status).toBe(200);
  });

  test('a list has only readable queries, and reports omissions', async () => {
    const { holder, idOf, manage, ask } = await guarded();
    const { json } = await manage('PUT', 'session/create');
    const unnamed = await idOf({ Session: json?.ID, Service });
    for (const Name of ['a', 'ab', 'b']) await idOf({ Name, Service });
    const listed = async (say: typeof manage) => {
      const { json, headers } = await say('GET', 'query');
      const found = json as unknown as { readonly Name: string }[];
      return [found.map(({ Name }) => Name).sort(), headers[filteredBy]];
    };
    expect(await listed(manage)).toEqual([['', 'a', 'ab', 'b'], undefined]);
    const some = await holder('query_prefix "a" { policy = "read" }');
    expect(await listed(some.say)).toEqual([['a', 'ab'], 'true']);
    const all = await holder('query_prefix "" { policy = "read" }');
    expect(await listed(all.say)).toEqual([['a', 'ab', 'b'], undefined]);
    expect((await some.say('GET', `query/${unnamed}`)).status).toBe(200);
    expect((await some.say('GET', `query/${unnamed}/explain`)).status).toBe(200);
    expect((await ask('GET', 'query')).text).toBe('[]');
  });

  test('a stored token is shown only to those who manage tokens, and executes the query', async () => {
    const { holder, idOf, manage, anonymous } = await guarded();
    const web = { Node: 'n1', Address: '10.0.0.1', Service: { Service: 'web' } };
    await manage('PUT', 'catalog/register', web);
    await manage('PUT', 'catalog/register', { ...web, Node: 'n2' });
    const { secret, say } = await holder('service "web" { policy = "read" } node "n1" { policy = "read" }');
    const reader = await holder('query_prefix "" { policy = "read" }');
    const ID = await idOf({ Name: 'web', Token: secret, Service });
    await idOf({ Name: 'bare', Service });
    const token = async (as: typeof say, path: string) =>
      /"Token":"([^"]+)"/.exec((await as('GET', path)).text)?.[1];
    for (const path of [`query/${ID}`, 'query', 'query/web/explain']) {
      expect(await token(manage, path)).toBe(secret);
      expect(await token(reader.say, path)).toBe('<hidden>');
    }
    const executed = async (as: typeof say, name: string) => {
      const { json, headers } = await as('GET', `query/${name}/execute`);
      const { Nodes } = json as unknown as { Nodes: { Node: { Node: string } }[] };
      return [Nodes.map(({ Node }) => Node.Node).sort(), headers[filteredBy]];
    };
    expect(await executed(anonymous, 'web')).toEqual([['n1'], 'true']);
    expect(await executed(manage, 'web')).toEqual([['n1'], 'true']);
    expect(await executed(anonymous, 'bare')).toEqual([[], 'true']);
    expect(await executed(say, 'bare')).toEqual([['n1'], 'true']);
    expect(await executed(manage, 'bare')).toEqual([['n1', 'n2'], undefined]);
    await manage('PUT', `query/${ID}`, { Name: 'web', Token: 'no-such-token', Service });
    const rejected = await anonymous('GET', 'query/web/execute');
    expect([rejected.status, rejected.text]).toEqual([403, 'ACL not found']);
  });
});
