import type { Json } from '../../../../../src/wire/json.ts';

/** A request with the token of a policy, and the status that OpenBao 2.6.2 responds with. */
export type PolicyRequest = readonly [
  method: string,
  path: string,
  body: { readonly [name: string]: Json } | undefined,
  status: number,
  wrapTtl?: string,
];

/** Policies for a key-value engine of version 1 at `limits/`, which has `limits/a`, `limits/b` and `limits/c`. */
export const policyCases: readonly {
  readonly name: string;
  readonly policies: readonly string[];
  readonly requests: readonly PolicyRequest[];
}[] = [
  {
    name: 'allowed parameters',
    policies: [
      `path "limits/*" {
        capabilities = ["create", "update", "read"]
        allowed_parameters = { "color" = ["red", "gr*", "*ue", "*llo*"], "Size" = [], "flag" = [true], "n" = [1], "list" = [["x", "y"]] }
      }`,
    ],
    requests: [
      ['POST', 'limits/x', { color: 'red' }, 204],
      ['POST', 'limits/x', { COLOR: 'red' }, 204],
      ['POST', 'limits/x', { color: 'green', size: 7 }, 204],
      ['POST', 'limits/x', { color: 'blue' }, 204],
      ['POST', 'limits/x', { color: 'yellow' }, 204],
      ['POST', 'limits/x', { color: 'black' }, 403],
      ['POST', 'limits/x', { color: 'redder' }, 403],
      ['POST', 'limits/x', { color: ['red'] }, 403],
      ['POST', 'limits/x', { color: null }, 403],
      ['POST', 'limits/x', { flag: true }, 204],
      ['POST', 'limits/x', { flag: 'true' }, 403],
      ['POST', 'limits/x', { n: 1 }, 403],
      ['POST', 'limits/x', { n: '1' }, 403],
      ['POST', 'limits/x', { list: ['x', 'y'] }, 204],
      ['POST', 'limits/x', { list: ['y', 'x'] }, 403],
      ['POST', 'limits/x', { other: 'red' }, 403],
      ['GET', 'limits/x', undefined, 200],
      ['GET', 'limits/x?other=1', undefined, 403],
    ],
  },
  {
    name: 'allowed parameters with *',
    policies: [
      'path "limits/*" { capabilities = ["create", "update"] allowed_parameters = { "*" = [], "color" = ["red"] } }',
    ],
    requests: [
      ['POST', 'limits/x', { other: 1 }, 204],
      ['POST', 'limits/x', { other: 1, color: 'red' }, 204],
      ['POST', 'limits/x', { other: 1, color: 'blue' }, 403],
    ],
  },
  {
    name: 'allowed parameters with * only, and a block',
    policies: [
      'path "limits/*" { capabilities = ["create", "update"] allowed_parameters { "*" = ["never looked at"] } }',
    ],
    requests: [['POST', 'limits/x', { other: 1, color: 'blue' }, 204]],
  },
  {
    name: 'denied parameters',
    policies: [
      'path "limits/*" { capabilities = ["create", "update"] denied_parameters = { "color" = ["red", "g*"], "size" = [] } }',
    ],
    requests: [
      ['POST', 'limits/x', { color: 'blue' }, 204],
      ['POST', 'limits/x', { color: 'red' }, 403],
      ['POST', 'limits/x', { Color: 'green' }, 403],
      ['POST', 'limits/x', { size: null, color: 'blue' }, 403],
      ['POST', 'limits/x', { other: 1 }, 204],
    ],
  },
  {
    name: 'denied parameters with *',
    policies: [
      'path "limits/*" { capabilities = ["create", "update", "read"] denied_parameters = { "*" = [] } }',
    ],
    requests: [
      ['POST', 'limits/x', { other: 1 }, 403],
      ['GET', 'limits/a', undefined, 200],
    ],
  },
  {
    name: 'denied and allowed parameters',
    policies: [
      'path "limits/*" { capabilities = ["create", "update"] allowed_parameters = { "color" = [] } denied_parameters = { "color" = ["red"] } }',
    ],
    requests: [
      ['POST', 'limits/x', { color: 'blue' }, 204],
      ['POST', 'limits/x', { color: 'red' }, 403],
      ['POST', 'limits/x', { size: 1 }, 403],
    ],
  },
  {
    name: 'required parameters',
    policies: [
      'path "limits/*" { capabilities = ["create", "update", "read", "delete", "list"] required_parameters = ["Color", "size"] }',
    ],
    requests: [
      ['POST', 'limits/x', { color: 'red', size: 1 }, 204],
      ['POST', 'limits/x', { color: 'red' }, 403],
      ['POST', 'limits/x', { COLOR: 'red', size: 1 }, 403],
      ['GET', 'limits/a', undefined, 403],
      ['GET', 'limits/a?color=1&size=2', undefined, 200],
      ['LIST', 'limits/', undefined, 200],
      ['DELETE', 'limits/x', undefined, 204],
    ],
  },
  {
    name: 'wrapping lifetimes',
    policies: [
      'path "limits/a" { capabilities = ["read"] min_wrapping_ttl = "10s" max_wrapping_ttl = 60 } path "limits/b" { capabilities = ["read"] max_wrapping_ttl = "1m" }',
    ],
    requests: [
      ['GET', 'limits/a', undefined, 403],
      ['GET', 'limits/a', undefined, 200, '10s'],
      ['GET', 'limits/a', undefined, 403, '9s'],
      ['GET', 'limits/a', undefined, 403, '61s'],
      ['GET', 'limits/b', undefined, 403],
      ['GET', 'limits/b', undefined, 200, '1s'],
    ],
  },
  {
    name: 'a limit of pages',
    policies: ['path "limits/*" { capabilities = ["list"] pagination_limit = 2 }'],
    requests: [
      ['LIST', 'limits/', undefined, 200],
      ['LIST', 'limits/?limit=1', undefined, 200],
      ['LIST', 'limits/?limit=2', undefined, 200],
      ['LIST', 'limits/?limit=3', undefined, 403],
      ['LIST', 'limits/?limit=-1', undefined, 403],
      ['LIST', 'limits/?limit=0', undefined, 200],
      ['LIST', 'limits/?limit=max', undefined, 200],
      ['LIST', 'limits/?limit=many', undefined, 403],
    ],
  },
  {
    name: 'a limit of pages that must be given',
    policies: [
      'path "limits/*" { capabilities = ["list"] pagination_limit = "2" required_parameters = ["limit"] }',
    ],
    requests: [
      ['LIST', 'limits/', undefined, 403],
      ['LIST', 'limits/?limit=max', undefined, 200],
    ],
  },
  {
    name: 'the same pattern in several policies',
    policies: [
      'path "limits/*" { capabilities = ["create"] allowed_parameters = { "color" = ["red"], "size" = ["1"] } required_parameters = ["color"] }',
      'path "limits/*" { capabilities = ["update", "list"] allowed_parameters = { "color" = ["blue"], "size" = [] } pagination_limit = 1 }',
      'path "limits/*" { capabilities = ["list"] pagination_limit = 2 }',
    ],
    requests: [
      ['POST', 'limits/x', { color: 'red', size: 'any' }, 204],
      ['POST', 'limits/x', { color: 'blue' }, 204],
      ['POST', 'limits/x', { color: 'green' }, 403],
      ['POST', 'limits/x', { size: '1' }, 403],
      ['LIST', 'limits/?limit=2', undefined, 403],
    ],
  },
  {
    name: 'a stanza without limits next to one with limits',
    policies: [
      'path "limits/*" { capabilities = ["create", "update"] }',
      'path "limits/*" { capabilities = ["create", "update"] allowed_parameters = { "color" = [] } }',
    ],
    requests: [
      ['POST', 'limits/x', { color: 'red' }, 204],
      ['POST', 'limits/x', { size: 1 }, 403],
    ],
  },
  {
    name: 'a stanza that has expired',
    policies: [
      'path "limits/a" { capabilities = ["read"] expiration = "2020-01-01T00:00:00Z" } path "limits/b" { capabilities = ["read"] expiration = "2099-01-01T00:00:00Z" } path "limits/c" { capabilities = ["read"] expiration = 4102444800 }',
    ],
    requests: [
      ['GET', 'limits/a', undefined, 403],
      ['GET', 'limits/b', undefined, 200],
      ['GET', 'limits/c', undefined, 200],
    ],
  },
  {
    name: 'a plus sign within a segment',
    policies: [
      'path "limits/x-+" { capabilities = ["create", "update"] } path "limits/+/y-+/*" { capabilities = ["create", "update"] } path "lim*ts/a" { capabilities = ["read"] }',
    ],
    requests: [
      ['POST', 'limits/x-+', { a: 1 }, 204],
      ['POST', 'limits/x-z', { a: 1 }, 403],
      ['POST', 'limits/q/y-+/z', { a: 1 }, 204],
      ['POST', 'limits/q/y-x/z', { a: 1 }, 403],
      ['GET', 'limits/a', undefined, 403],
    ],
  },
];

/** Paths with templates, for a user of userpass whose entity has the metadata `team: red` and `odd: a/b`. */
export const templateCases: readonly (readonly [template: string, path: string, status: number])[] = [
  ['{{identity.entity.metadata.team}}', 'red', 200],
  ['{{ identity.entity.metadata.team }}', 'red', 200],
  ['{{identity.entity.metadata.team}}', 'blue', 403],
  ['{{identity.entity.name}}', '{name}', 200],
  ['{{identity.entity.id}}', '{id}', 200],
  ['{{identity.entity.aliases.{accessor}.name}}', 'ada', 200],
  ['{{identity.entity.aliases.{accessor}.metadata.username}}', 'ada', 403],
  ['{{identity.entity.aliases.{accessor}.custom_metadata.desk}}', '7', 200],
  ['{{identity.entity.aliases.none.name}}', 'ada', 403],
  ['{{identity.entity.metadata.none}}', '', 403],
  ['{{identity.entity.metadata.none}}', '{{identity.entity.metadata.none}}', 403],
  ['{{identity.entity.metadata.odd}}', 'a/b', 403],
  ['{{identity.entity.groups.names}}', '', 403],
  ['{{identity.groups.names.g.id}}', '', 403],
  ['{{nonsense}}', 'nonsense', 403],
  ['x-{{identity.entity.metadata.team}}-{{identity.entity.metadata.team}}', 'x-red-red', 200],
];
