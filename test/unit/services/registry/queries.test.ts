// biome-ignore-all lint/suspicious/noTemplateCurlyInString: interpolations of query templates are written so
import { describe, expect, test } from 'vitest';
import { responseWith } from '../callers.ts';
import { folder } from '../support.ts';
import { registry } from './support.ts';

const web = { Name: 'web', Service: { Service: 'web' } };

describe('a prepared query', () => {
  test('is made, read, listed, changed and deleted', async () => {
    const { json, send, ask } = await registry();
    const { ID } = await json('POST', 'query', {
      ...web,
      Service: { Service: 'web', Tags: ['a'], Failover: { NearestN: 2 } },
      DNS: { TTL: '10s' },
    });
    expect(await json('GET', `query/${ID}`)).toEqual([
      {
        ID,
        Name: 'web',
        Session: '',
        Token: '',
        Service: {
          Service: 'web',
          Namespace: '',
          Failover: { NearestN: 2, Datacenters: null, Targets: null },
          IgnoreCheckIDs: null,
          OnlyPassing: false,
          Near: '',
          Tags: ['a'],
          NodeMeta: null,
          ServiceMeta: null,
          Connect: false,
        },
        DNS: { TTL: '10s' },
        RaftIndex: { CreateIndex: 2, ModifyIndex: 2 },
        CreateIndex: 2,
        ModifyIndex: 2,
      },
    ]);
    expect(await send('PUT', `query/${ID}`, { ...web, Name: 'api' })).toBe('200');
    expect(await json('GET', 'query')).toMatchObject([
      { ID, Name: 'api', RaftIndex: { CreateIndex: 2, ModifyIndex: 3 } },
    ]);
    const { headers } = await ask('GET', 'query?stale');
    expect(headers).toMatchObject({
      'x-registry-index': '3',
      'x-consul-effective-consistency': 'stale',
      'x-registry-knownleader': 'true',
    });
    expect(await send.status('GET', 'query/web/execute')).toBe(404);
    expect(await send.status('GET', 'query/api/execute')).toBe(200);
    expect(await send('DELETE', `query/${ID}`)).toBe('200');
    expect(await json('GET', 'query')).toEqual([]);
    expect(await send.status('GET', 'query/api/execute')).toBe(404);
  });

  test.each<[string, object | string, number, string | RegExp]>([
    [
      'has a name that is no text',
      { Name: 1 },
      400,
      'Request decode failed: Name of the body must be a string',
    ],
    ['has an unknown field', { ...web, Nope: 1 }, 400, 'Request decode failed: json: unknown field "Nope"'],
    [
      'has an unknown field of a target',
      { ...web, Service: { Service: 'web', Failover: { Targets: [{ Nope: 1 }] } } },
      400,
      'Request decode failed: json: unknown field "Nope"',
    ],
    [
      'is for a sameness group',
      { ...web, Service: { Service: 'web', SamenessGroup: 'a' } },
      500,
      'Invalid prepared query: sameness-groups are an enterprise-only feature',
    ],
    [
      'is for a peer',
      { ...web, Service: { Service: 'web', Peer: 'a' } },
      500,
      'Invalid prepared query: Peer is not supported: there are no cluster peers',
    ],
    [
      'is for a namespace',
      { Name: 'web', Service: { Service: 'web', Namespace: 'n' } },
      400,
      /"ns" - Namespaces/,
    ],
    [
      'has a token that was hidden',
      { ...web, Token: '<hidden>' },
      500,
      /^Invalid prepared query: Bad Token '<hidden>', /,
    ],
    [
      'has a TTL without unit',
      { ...web, DNS: { TTL: '10' } },
      500,
      /^Invalid prepared query: Bad DNS TTL '10': time: missing unit/,
    ],
    [
      'has a TTL below 0',
      { ...web, DNS: { TTL: '-1s' } },
      500,
      /^Invalid prepared query: DNS TTL '-1000000000', must be >=0$/,
    ],
    [
      'has a name that is too long',
      { ...web, Name: 'x'.repeat(513) },
      500,
      /^Invalid prepared query: Bad Name/,
    ],
    [
      'is too large',
      { Name: 'a', Service: { Service: 'a', Tags: ['x'.repeat(16_384)] } },
      500,
      /^Invalid prepared query: Bad Service/,
    ],
    [
      'fails over in two ways',
      { ...web, Service: { Service: 'web', Failover: { NearestN: 1, Targets: [{ Datacenter: 'dc2' }] } } },
      500,
      'Invalid prepared query: Targets cannot be populated with NearestN or Datacenters',
    ],
    [
      'has an expression that RE2 does not have',
      { ...web, Template: { Type: 'name_prefix_match', Regexp: '(?=a)' } },
      500,
      /^raft apply failed: failed compiling template: Bad Regexp: /,
    ],
    [
      'has an expression that is too large',
      { ...web, Template: { Type: 'name_prefix_match', Regexp: '((a{50}){30})b{300}' } },
      500,
      'raft apply failed: failed compiling template: Bad Regexp: the expression is too large',
    ],
    [
      'has an interpolation that is none',
      { ...web, Template: { Type: 'name_prefix_match' }, Service: { Service: '${name.all}' } },
      500,
      'raft apply failed: failed compiling template: Bad Template: unknown interpolation "${name.all}"',
    ],
    [
      'has an interpolation without end',
      { ...web, Template: { Type: 'name_prefix_match' }, Service: { Service: 'a', Tags: ['${name'] } },
      500,
      'raft apply failed: failed compiling template: Bad Template: unknown interpolation "${name"',
    ],
  ])('that %s is rejected', async (_what, body, status, message) => {
    const { json, send } = await registry();
    expect(await send('POST', 'query', body)).toEqual(responseWith(status, message));
    expect(await json('GET', 'query')).toEqual([]);
  });

  test('is static if its template has no type, whatever else the template has', async () => {
    const { json, send } = await registry();
    for (const [at, rest] of [
      {},
      { RemoveEmptyTags: true },
      { Regexp: '(', RemoveEmptyTags: true },
    ].entries()) {
      const { ID } = await json('POST', 'query', {
        ...web,
        Name: `web-${at}`,
        Template: { Type: '', ...rest },
      });
      const [query] = await json('GET', `query/${ID}`);
      const kept = { Type: '', Regexp: '', RemoveEmptyTags: false, ...rest };
      expect(query?.Template).toEqual(at === 0 ? undefined : kept);
    }
    expect(await send('GET', 'query/web-00/execute')).toBe('404 Query not found');
  });

  test('is read, changed and deleted by its ID, which is a UUID', async () => {
    const { send, ask, json } = await registry();
    const { ID } = await json('POST', 'query', web);
    const { status, text, headers } = await ask('PUT', `query/${ID}`, { body: web });
    expect([status, text, headers['content-type']]).toEqual([200, '', 'application/json']);
    const noUuid = 'failed prepared query lookup: index error: UUID must be 36 characters';
    expect(await send('PUT', 'query/web', web)).toBe(`500 Prepared Query lookup failed: ${noUuid}`);
    expect(await send('DELETE', 'query/web')).toBe(`500 Prepared Query lookup failed: ${noUuid}`);
  });

  test('has a name that no other query has as its name or ID', async () => {
    const { json, send } = await registry();
    const { ID } = await json('POST', 'query', web);
    expect(await send('POST', 'query', { ...web, Name: ID })).toBe(
      `500 raft apply failed: name '${ID}' aliases an existing query ID`,
    );
    const { ID: other } = await json('POST', 'query', { ...web, Name: 'api' });
    expect(await send.status('PUT', `query/${other}`, web)).toBe(500);
    expect(await send.status('PUT', `query/${other}`, { ...web, Name: 'api' })).toBe(200);
    await send('DELETE', `query/${ID}`);
    expect(await send.status('PUT', `query/${other}`, web)).toBe(200);
  });

  test('that is bound to a session ends with it', async () => {
    const { json, send, pass } = await registry();
    const { ID: one } = await json('PUT', 'session/create', { TTL: '10s' });
    const { ID: two } = await json('PUT', 'session/create');
    await json('POST', 'query', { Session: one, Service: web.Service });
    await json('POST', 'query', { ...web, Session: one });
    const { ID: kept } = await json('POST', 'query', { ...web, Name: 'kept', Session: one });
    await send('PUT', `query/${kept}`, { ...web, Name: 'kept', Session: two });
    pass(60);
    expect(await json('GET', 'query')).toMatchObject([{ ID: kept }]);
    expect(await send.status('POST', 'query', web)).toBe(200);
    await send('PUT', `session/destroy/${two}`);
    expect(await json('GET', 'query')).toMatchObject([{ Name: 'web' }]);
  });

  test('exists after a restart', async () => {
    const data = await folder();
    const first = await registry({ dataDirectory: data });
    await first.send('POST', 'query', {
      ...web,
      Template: { Type: 'name_prefix_match', Regexp: '^web-(.*)$' },
    });
    await first.close();
    const second = await registry({ dataDirectory: data });
    expect(await second.json('GET', 'query/web-x/explain')).toMatchObject({ Query: { Name: 'web' } });
  });
});

describe('a template', () => {
  const template = (Name: string, more: object = {}, Service: object = { Service: '${name.full}' }) => ({
    Name,
    Template: { Type: 'name_prefix_match', ...more },
    Service,
  });

  test('applies to names with its prefix: the longest one wins, and a static query before it', async () => {
    const { json, send } = await registry();
    await json('POST', 'query', template('', {}, { Service: 'any' }));
    await json('POST', 'query', template('geo-', {}, { Service: 'geo' }));
    await json('POST', 'query', template('geo-db-', {}, { Service: 'db' }));
    await json('POST', 'query', { Name: 'geo-db-1', Service: { Service: 'static' } });
    const service = async (name: string) => {
      const { Query } = (await json('GET', `query/${name}/explain`)) as unknown as {
        Query: { Service: { Service: string } };
      };
      return Query.Service.Service;
    };
    expect(await service('x')).toBe('any');
    expect(await service('geo-x')).toBe('geo');
    expect(await service('geo-db-')).toBe('db');
    expect(await service('geo-db-2')).toBe('db');
    expect(await service('geo-db-1')).toBe('static');
    expect(await service('geo-db-11')).toBe('db');
    expect(await send('POST', 'query', template(''))).toBe(
      '500 raft apply failed: a query template with an empty name already exists',
    );
    expect(await send.status('GET', `query/${'x'.repeat(600)}/explain`)).toBe(404);
  });

  test('is rendered with every interpolation there is', async () => {
    const { json } = await registry();
    await json(
      'POST',
      'query',
      template(
        'geo-',
        { Regexp: '^geo-(.*?)-([^-]+?)(x)?$', RemoveEmptyTags: true },
        {
          Service: 'mysql-${match(1)}',
          Failover: { Datacenters: ['dc-${match(2)}'] },
          Near: '${name.suffix}',
          Tags: ['${ match(2) }', '!${name.prefix}', '${match(3)}', '${match(9)}', '${match(-1)}'],
          NodeMeta: { segment: '${agent.segment}', all: '${match(0)}' },
          ServiceMeta: { two: '${name.prefix}${name.suffix}=${name.full}' },
        },
      ),
    );
    expect(await json('GET', 'query/geo-customer-primary/explain')).toMatchObject({
      Query: {
        Name: 'geo-',
        Template: { Type: 'name_prefix_match', Regexp: '^geo-(.*?)-([^-]+?)(x)?$', RemoveEmptyTags: true },
        Service: {
          Service: 'mysql-customer',
          Failover: { Datacenters: ['dc-primary'] },
          Near: 'customer-primary',
          Tags: ['primary', '!geo-'],
          NodeMeta: { segment: '', all: 'geo-customer-primary' },
          ServiceMeta: { two: 'geo-customer-primary=geo-customer-primary' },
          Meta: { two: 'geo-customer-primary=geo-customer-primary' },
        },
      },
    });
    expect(await json('GET', 'query/geo-nothing/explain')).toMatchObject({
      Query: { Service: { Service: 'mysql-', Tags: ['!geo-'] } },
    });
  });

  test('keeps empty tags by default, and is not executed by its ID', async () => {
    const { json, send } = await registry();
    const { ID } = await json(
      'POST',
      'query',
      template('a', {}, { Service: 's', Tags: ['${match(1)}', 'b'] }),
    );
    expect(await json('GET', 'query/ab/explain')).toMatchObject({ Query: { Service: { Tags: ['', 'b'] } } });
    const rejected = '500 prepared query templates can only be resolved up by name, not by ID';
    expect(await send('GET', `query/${ID}/execute`)).toEqual(rejected);
    expect(await send('GET', `query/${ID}/explain`)).toEqual(rejected);
    expect(await send.status('GET', `query/${ID}`)).toBe(200);
  });

  test('leaves the text of a static query alone, which clients send with an empty template', async () => {
    const { json } = await registry();
    const { ID } = await json('POST', 'query', {
      Name: 'a',
      Template: { Type: '', Regexp: '', RemoveEmptyTags: false },
      Service: { Service: '${name.full}' },
    });
    expect(await json('GET', `query/${ID}/explain`)).toMatchObject({
      Query: { Service: { Service: '${name.full}' } },
    });
    expect((await json('GET', `query/${ID}`))[0]).not.toHaveProperty('Template');
  });
});
