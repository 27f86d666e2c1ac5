import { describe, expect, test } from 'vitest';
import { checkPolicy } from '../../../../src/commands/secrets/lib/policy-syntax.ts';
import { policyCases } from '../../services/secrets/acl/policy-cases.ts';

const problems = (text: string): string[] =>
  checkPolicy(text).problems.map(({ what, line, column }) =>
    line === undefined ? what : `${line}:${column} ${what}`,
  );

describe('a valid policy', () => {
  test.each([
    ['', 0],
    ['path "a" { capabilities = ["read", "list", "patch", "scan", "sudo"] }', 1],
    ['path "a/*" { policy = "write" }\npath "+/b" { capabilities = [] } # comment', 2],
    ['name = "x"\npath "a" { comment = "of the team" capabilities = ["deny"] }', 1],
    [
      'path "a" {\n  capabilities = ["create"]\n  allowed_parameters = { "x" = ["1", 2] "*" = [] }\n  denied_parameters = {}\n  required_parameters = ["x"]\n  min_wrapping_ttl = "1m"\n  max_wrapping_ttl = 90\n}',
      1,
    ],
    ['path "identity/{{identity.entity.id}}/*" { capabilities = ["read"] }', 1],
    ['{"path":{"a":{"capabilities":["read"]},"b/*":{"policy":"read"}}}', 2],
    ['{"path":[{"a":{"capabilities":["read"]}}]}', 1],
  ])('%s', (text, rules) => {
    expect(checkPolicy(text)).toEqual({ rules, problems: [] });
  });

  // Of a star elsewhere than at the end, which OpenBao takes literally, the check says so.
  test.each(policyCases.flatMap(({ policies }) => policies).filter((text) => !text.includes('lim*ts')))(
    'of the embedded service: %s',
    (text) => {
      expect(checkPolicy(text).problems).toEqual([]);
    },
  );
});

describe('an invalid policy', () => {
  test.each([
    [
      'path "a" {\n  capabilities = ["reed"]\n}',
      ['2:3 path "a": invalid capability "reed"; did you mean "read"?'],
    ],
    [
      'path "a" {\n  capabilites = ["read"]\n}',
      ['2:3 path "a": unknown field "capabilites"; did you mean "capabilities"?'],
    ],
    [
      'path "a" { capabilities = "read" }',
      ['1:12 path "a": invalid capabilities: expected a list such as ["read", "list"]'],
    ],
    ['paht "a" {}', ['1:1 unknown block "paht": expected path "PATH" { ... }']],
    ['path {}', ['1:1 expected path "PATH" { ... }']],
    ['path "a" "b" {}', ['1:10 expected path "PATH" { ... }']],
    [
      'path "a" { policy = "reed" }',
      ['1:12 path "a": invalid policy "reed": expected read, write, sudo, deny'],
    ],
    ['path "a/{{x}" {}', ['1:1 path "a/{{x}": unbalanced templates: expected }} after each {{']],
    ['path "a/+*" {}', ['1:1 path "a/+*": invalid wildcards: "+*" is not permitted']],
    [
      'path "a/*/b" {}',
      [
        '1:1 path "a/*/b": "*" is a wildcard only at the end and matches the character * here; use "+" for one segment',
      ],
    ],
    [
      'path "a" { min_wrapping_ttl = "soon" }',
      ['1:12 path "a": invalid min_wrapping_ttl "soon": expected a duration such as 10m'],
    ],
    [
      'path "a" { required_parameters = "x" }',
      ['1:12 path "a": invalid required_parameters: expected a list of names'],
    ],
    ['path "a" {', ['1:11 expected a name or "}", found the end']],
    ['hello', ['1:6 expected "=" or "{", found the end']],
    [
      '{"path":{"a":{"capabilities":["reed"]}},"pth":1}',
      [
        'unknown block "pth"; did you mean "path"?',
        'path "a": invalid capability "reed"; did you mean "read"?',
      ],
    ],
  ])('%s', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  test('in JSON has a position for a syntax error', () => {
    expect(checkPolicy('{"path": }').problems).toMatchObject([
      { what: expect.stringContaining('invalid JSON') },
    ]);
  });
});
