// biome-ignore-all lint/suspicious/noTemplateCurlyInString: interpolations of query templates are written so
import { describe, expect, test } from 'vitest';
import { responseWith } from '../callers.ts';
import { folder } from '../support.ts';
import { registry } from './support.ts';

const web = { Name: 'web', Service: { Service: 'web' } };
const ofWeb = (more: object) => ({ Service: { Service: 'web', ...more } });

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
    expect(await send.status('PUT', 'query', web)).toBe(405);
    expect(await json('GET', 'query')).toEqual([]);
    expect(await send.status('GET', 'query/api/execute')).toBe(404);
  });

  test.each([
    [{ Name: 1 }, 'Request decode failed: Name of the body must be a string'],
    [{ Nope: 1 }, 'Request decode failed: json: unknown field "Nope"'],
    [ofWeb({ Failover: { Targets: [{ Nope: 1 }] } }), 'Request decode failed: json: unknown field "Nope"'],
    [ofWeb({ Namespace: 'n' }), /"ns" - Namespaces/],
  ])('is rejected with %j', async (more, message) => {
    const { json, send } = await registry();
    expect(await send('POST', 'query', { ...web, ...more })).toEqual(responseWith(400, message));
    expect(await json('GET', 'query')).toEqual([]);
  });

  test.each([
    ['a sameness group', ofWeb({ SamenessGroup: 'a' }), /^sameness-groups are an enterprise-only feature$/],
    ['a peer', ofWeb({ Peer: 'a' }), /^Peer is not supported: there are no cluster peers$/],
    [
      'no session',
      { Name: '', Template: { Type: '', RemoveEmptyTags: true } },
      /^Must be bound to a session$/,
    ],
    ['a hidden token', { Token: '<hidden>' }, /^Bad Token '<hidden>', /],
    ['a TTL without unit', { DNS: { TTL: '10' } }, /^Bad DNS TTL '10': time: missing unit/],
    ['a TTL below 0', { DNS: { TTL: '-1s' } }, /^DNS TTL '-1000000000', must be >=0$/],
    ['a name of 513 characters', { Name: 'x'.repeat(513) }, /^Bad Name/],
    ['tags of 16 KiB', ofWeb({ Tags: ['x'.repeat(16_384)] }), /^Bad Service/],
    [
      'two ways to fail over',
      ofWeb({ Failover: { NearestN: 1, Targets: [{ Datacenter: 'dc2' }] } }),
      /^Targets cannot be populated with NearestN or Datacenters$/,
    ],
  ])('is invalid with %s', async (_what, more, message) => {
    const { json, send } = await registry();
    expect(await send('POST', 'query', { ...web, ...more })).toEqual(
      responseWith(500, new RegExp(`^Invalid prepared query: ${message.source.slice(1)}`)),
    );
    expect(await json('GET', 'query')).toEqual([]);
  });

  test.each([
    ['an unsupported expression', { Regexp: '(?=a)' }, {}, /^Bad Regexp: /],
    [
      'an expression that is too large',
      { Regexp: '((a{50}){30})b{300}' },
      {},
      /^Bad Regexp: the expression is too large$/,
    ],
    [
      'an unknown interpolation',
      {},
      { Service: '${name.all}' },
      /^Bad Template: unknown interpolation "\$\{name\.all\}"$/,
    ],
    [
      'an interpolation without end',
      {},
      { Tags: ['${name'] },
      /^Bad Template: unknown interpolation "\$\{name"$/,
    ],
  ])('is rejected with a template with %s', async (_what, fields, service, message) => {
    const { json, send } = await registry();
    const query = { ...web, Template: { Type: 'name_prefix_match', ...fields }, ...ofWeb(service) };
    expect(await send('POST', 'query', query)).toEqual(
      responseWith(
        500,
        new RegExp(`^raft apply failed: failed compiling template: ${message.source.slice(1)}`),
      ),
    );
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
    const expectService = async (name: string, Service: string) =>
      expect(await json('GET', `query/${name}/explain`)).toMatchObject({ Query: { Service: { Service } } });
    await expectService('x', 'any');
    await expectService('geo-x', 'geo');
    await expectService('geo-db-', 'db');
    await expectService('geo-db-2', 'db');
    await expectService('geo-db-1', 'static');
    await expectService('geo-db-11', 'db');
    expect(await send('POST', 'query', template(''))).toBe(
      '500 raft apply failed: a query template with an empty name already exists',
    );
    expect(await send.status('GET', `query/${'x'.repeat(600)}/explain`)).toBe(404);
  });

  test('is rendered with every interpolation', async () => {
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

test('$$ before { is a dollar sign in a template', async () => {
  const { json } = await registry();
  await json('POST', 'query', {
    Name: 'a-',
    Template: { Type: 'name_prefix_match' },
    Service: { Service: '$${x}-${name.suffix}' },
  });
  expect(await json('GET', 'query/a-b/explain')).toMatchObject({ Query: { Service: { Service: '${x}-b' } } });
});
