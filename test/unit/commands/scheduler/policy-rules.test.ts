import { describe, expect, test } from 'vitest';
import { checkRules } from '../../../../src/commands/scheduler/lib/policy-rules.ts';

// The cases of Nomad's own parser (acl/policy_test.go), in other words.

const problems = (text: string): string[] => checkRules(text).problems.map(({ what }) => what);

const everything = `
namespace "default" { policy = "read" }
namespace "other" { policy = "write" }
namespace "secret" { capabilities = ["deny", "read-logs"] }
namespace "apps-*" {
  variables {
    path "jobs/write-only" { capabilities = ["write"] }
    path "project/*" { capabilities = ["read", "list", "destroy", "deny"] }
  }
}
namespace "autoscaler" { policy = "scale" }
namespace "empty" {}
host_volume "production-tls-*" { capabilities = ["mount-readonly"] }
host_volume "staging-tls-*" { policy = "write" }
node_pool "prod" { capabilities = ["read"] }
node_pool "pool_1" {
  policy = "read"
  capabilities = ["write", "delete"]
}
agent { policy = "read" }
node { policy = "write" }
operator { policy = "deny" }
quota { policy = "read" }
sentinel { capabilities = ["sentinel-read"] }
plugin { policy = "list" }
`;

describe('valid rules', () => {
  test('have every resource', () => {
    expect(checkRules(everything)).toEqual({ rules: 16, problems: [] });
  });

  test('are read from JSON', () => {
    const text = JSON.stringify({
      namespace: [
        { default: { policy: 'read' } },
        { secret: { capabilities: ['deny', 'read-logs'] } },
        {
          apps: {
            variables: [{ path: [{ 'a/*': { capabilities: ['write'] } }, { b: { capabilities: [] } }] }],
          },
        },
      ],
      host_volume: { 'tls-*': { policy: 'write' } },
      agent: { policy: 'read' },
      operator: [{ capabilities: ['snapshot-save'] }],
    });
    expect(checkRules(text)).toEqual({ rules: 6, problems: [] });
  });

  test.each([
    'namespace "default" { capabilities = ["sentinel-override", "host-volume-register", "alloc-exec"] }',
    'operator { capabilities = ["license-read", "keyring-rotate"] }',
    'host_volume "a" { capabilities = ["mount-readwrite"] }',
    '# a comment\nnode { policy = "deny" } // another',
    'NAMESPACE "a" { POLICY = "read" }',
  ])('include %s', (text) => {
    expect(problems(text)).toEqual([]);
  });
});

test.each([
  [
    'namespace "default" { policy = "foo" }',
    'invalid policy "foo" of namespace "default": expected deny, read, write or scale',
  ],
  [
    'namespace "default" { policy = ["read"] }',
    'invalid policy of namespace "default": expected deny, read, write or scale',
  ],
  ['namespace { policy = "read" }', 'expected namespace "NAME" { ... }'],
  ['namespace {}', 'expected namespace "NAME" { ... }'],
  ['namespace = "default"', 'expected namespace "NAME" { ... }'],
  ['{"namespace":[{"":{"policy":"read"}}]}', 'invalid name "" of namespace'],
  ['namespace "has a space" { policy = "read" }', 'invalid name "has a space" of namespace'],
  [
    'namespace "dev" { variables "*" { capabilities = ["read"] } }',
    'expected variables { path "PATH" { capabilities = ["read"] } }',
  ],
  ['namespace "dev" { variables {} }', 'no path in variables of namespace "dev"'],
  [
    'namespace "dev" { variables { path "/nomad/job" { capabilities = ["read"] } } }',
    'invalid path "/nomad/job": it cannot begin with a slash',
  ],
  [
    'namespace "dev" { variables { path {} } }',
    'expected path "PATH" { capabilities = ["read"] } in variables of namespace "dev"',
  ],
  [
    '{"namespace":[{"dev":{"variables":[{"paths":[{"a":{"capabilities":["read"]}}]}]}}]}',
    'unknown field "paths" in variables of namespace "dev"; did you mean "path"?',
  ],
  [
    'namespace "dev" { variables { path "a" { capabilities = ["raed"] } } }',
    'invalid capability "raed" of path "a": expected list, read, write, destroy or deny',
  ],
  [
    'namespace "dev" { variables { path "a" { capabilities = ["delete"] } } }',
    'invalid capability "delete" of path "a": expected list, read, write, destroy or deny',
  ],
  ['namespace "dev" { variables { path "a" { policy = "read" } } }', 'unknown field "policy" in path "a"'],
  ['namespace "dev" { variables { path "a" { } } }', 'missing field "capabilities" in path "a"'],
  ['namespace "d" { capabilities = ["deny", "foo"] }', 'invalid capability "foo" of namespace "d"'],
  [
    'namespace "d" { capabilities = "deny" }',
    'invalid capabilities of namespace "d": expected a list such as ["read"]',
  ],
  ['namespace "d" { polcy = "deny" }', 'unknown field "polcy" in namespace "d"; did you mean "policy"?'],
  ['namespace "d" { policy = "deny" policy = "read" }', 'duplicate field "policy" in namespace "d"'],
  ['agent { policy = "foo" }', 'invalid policy "foo" of agent: expected deny, read, write or scale'],
  ['node { policy = "foo" }', 'invalid policy "foo" of node: expected deny, read, write or scale'],
  ['operator { policy = "foo" }', 'invalid policy "foo" of operator: expected deny, read, write or scale'],
  ['quota { policy = "foo" }', 'invalid policy "foo" of quota: expected deny, read, write or scale'],
  ['plugin { policy = "reader" }', 'invalid policy "reader" of plugin: expected deny, read, list or write'],
  [
    'sentinel { policy = "invalid" }',
    'invalid policy "invalid" of sentinel: expected deny, read, write or scale',
  ],
  [
    'sentinel { capabilities = ["invalid"] }',
    'invalid capability "invalid" of sentinel: expected deny, sentinel-read, sentinel-submit or sentinel-delete',
  ],
  ['agent {}', 'missing field "policy" in agent'],
  ['agent "x" { policy = "read" }', 'expected agent { ... }'],
  ['agent { policy = "read" capabilities = ["a"] }', 'unknown field "capabilities" in agent'],
  ['node_pool "" { }', 'invalid name "" of node_pool'],
  ['node_pool "pool%" { }', 'invalid name "pool%" of node_pool'],
  [
    'node_pool "p" { capabilities = ["read", "invalid"] }',
    'invalid capability "invalid" of node_pool "p": expected delete, deny, read or write',
  ],
  ['host_volume "has a space" { policy = "read" }', 'invalid name "has a space" of host_volume'],
  ['{"Name":"my-policy","Rules":"anything"}', 'unknown resource "Name"'],
  ['node { policy = "read" }\nnode { policy = "write" }', 'duplicate block "node"'],
  ['namespce "a" { policy = "read" }', 'unknown resource "namespce"; did you mean "namespace"?'],
  ['', 'no rules'],
])('rejects %j', (text, expected) => {
  expect(problems(text)[0]).toBe(expected);
});

test('rejects an invalid escape', () => {
  expect(problems('namespace "\\500" {}')).toHaveLength(1);
});

test('names every unknown or repeated block', () => {
  const found = problems(
    `${everything} bogus { policy = "read" } quota { policy = "write" } plugin { policy = "read" }`,
  );
  expect(found).toEqual(['duplicate block "quota"', 'duplicate block "plugin"', 'unknown resource "bogus"']);
});

test('gives the line and the column of each problem', () => {
  const text =
    'agent {\n  policy = "raed"\n}\nnamespace "a" {\n  variables {\n    path "b" { capabilities = ["red"] }\n  }\n}\n';
  expect(checkRules(text).problems).toMatchObject([
    { line: 2, column: 3 },
    { line: 6, column: 16 },
  ]);
  expect(checkRules('agent {\n  policy "read"\n}').problems).toMatchObject([{ line: 3 }]);
});
