import { describe, expect, test } from 'vitest';
import { data, outcome, secrets } from '../support.ts';

describe('the text of a policy', () => {
  const read = { 'shelf/a': ['read'] };

  test.for<[string, Record<string, string[]>]>([
    ['path "shelf/a" { capabilities = ["read"] }', read],
    ['path "/shelf/a" { capabilities = ["read"] }', read],
    ['path "shelf\\u002fa" { capabilities = ["read"] }', read],
    ['path "shelf/a" { "capabilities" = ["read"] }', read],
    ['path "shelf/a" { capabilities = ["read",] }', read],
    ['path"shelf/a"{capabilities=["read"]}', read],
    ['# "{" and path\npath "shelf/a" { // list\n capabilities = [ /* none\n */ "read" ]\n}\n', read],
    ['path "shelf/a" { capabilities = ["read"] capabilities = ["list"] }', { 'shelf/a': ['list', 'read'] }],
    [
      'path "shelf/a" { capabilities = ["read"] } path "shelf/b" { capabilities = ["list"] }',
      { 'shelf/a': ['read'], 'shelf/b': ['list'] },
    ],
    ['path "shelf/a" { capabilities = ["read"] } path "shelf/a" { }', read],
    [
      'path "shelf/*" { capabilities = ["read"] } path "shelf/b" { capabilities = [] }',
      { ...read, 'shelf/b': ['deny'] },
    ],
    [
      'path "shelf/a" { capabilities = ["create", "read", "update", "patch", "delete", "list", "recover", "sudo"] }',
      { 'shelf/a': ['create', 'delete', 'list', 'patch', 'read', 'recover', 'sudo', 'update'] },
    ],
    ['path "shelf/a" { capabilities = ["read", "deny"] }', { 'shelf/a': ['deny'] }],
    [' \n {"path": {"shelf/a": {"capabilities": ["read"]}}}', read],
    ['{"path": {"/shelf/a": {"capabilities": "read"}}}', read],
    [
      '{"path": [{"shelf/a": {"capabilities": ["read"]}}, {"shelf/b": {"capabilities": ["list"]}, "shelf/c": {"capabilities": ["sudo"]}}]}',
      { ...read, 'shelf/b': ['list'], 'shelf/c': ['sudo'] },
    ],
    ['{}', { 'shelf/a': ['deny'] }],
    ['name = "p" path "shelf/a" { capabilities = ["read"] comment = "why" }', read],
    ['{"name": "p", "path": {"shelf/a": {"capabilities": ["read"], "comment": "why"}}}', read],
    [
      'path "shelf/+a/*" { capabilities = ["read"] } path "sh*lf" { capabilities = ["list"] }',
      { 'shelf/+a/b': ['read'], 'shelf/xa/b': ['deny'], 'sh*lf': ['list'], shelf: ['deny'] },
    ],
    [
      'path "s-+/*" { capabilities = ["read"] } path "s-+/a/+" { capabilities = ["list"] }',
      { 's-+/a': ['read'], 's-+/a/b': ['read'], 's-x/a/b': ['deny'] },
    ],
    ['path "shelf/a" { policy = "read" }', { 'shelf/a': ['list', 'read'] }],
    ['path "shelf/a" { policy = "write" }', { 'shelf/a': ['create', 'delete', 'list', 'read', 'update'] }],
    [
      'path "shelf/a" { "policy" = "sudo" }',
      { 'shelf/a': ['create', 'delete', 'list', 'read', 'sudo', 'update'] },
    ],
    ['path "shelf/a" { policy = "deny" capabilities = ["read"] }', { 'shelf/a': ['deny'] }],
    ['path "shelf/a" { policy = "read" capabilities = ["patch"] }', { 'shelf/a': ['list', 'patch', 'read'] }],
    [
      '{"path": {"shelf/a": {"policy": "read"}, "shelf/b": {"policy": "read", "capabilities": ["sudo"]}}}',
      { 'shelf/a': ['list', 'read'], 'shelf/b': ['list', 'read', 'sudo'] },
    ],
  ])('is parsed: %s', async ([text, expected]) => {
    const { post, tokenWith } = await secrets();
    const token = await tokenWith(text);
    const paths = Object.keys(expected);
    expect(data(await post('sys/capabilities-self', { paths }, token))).toMatchObject(expected);
  });

  test.for([
    ['rule "x" { capabilities = [] }', 'line 1: expected "path", found rule'],
    ['path "x" { capabilities = [] }\n}', 'line 2: expected "path", found }'],
    ['path x { capabilities = [] }', 'line 1: expected a quoted string, found x'],
    ['path', 'line 1: expected a quoted string, found the end'],
    ['path { capabilities = [] }', 'line 1: expected a quoted string, found {'],
    ['path "x" { capabilities = [read] }\n\n', 'line 1: expected a quoted string, found read'],
    ['path "x" { capabilities ["read"] }', 'line 1: expected "=", found ['],
    ['path "x" { capabilities = "read" }', 'line 1: expected "[", found "read"'],
    ['path "x" { capabilities = ["read" "list"] }', 'line 1: expected ",", found "list"'],
    ['path "x"\n{ capabilities = ["read"', 'line 2: expected ",", found the end'],
    ['path "x" { capabilities = ["read",', 'line 1: expected a quoted string, found the end'],
    ['path "x" $', 'line 1: unexpected character'],
    ['path "x', 'line 1: unexpected character'],
    ['/* not closed', 'line 1: unexpected character'],
    [
      'path "a/+*" { capabilities = [] }',
      'line 1: path "a/+*": invalid use of wildcards (\'+*\' is forbidden)',
    ],
    ['path "x" { capabilities = ["READ"] }', 'line 1: path "x": invalid capability "READ"'],
    ['path "x" { policy = "nope" }', 'line 1: path "x": invalid policy "nope"'],
    ['path "x" { policy = "constructor" }', 'line 1: path "x": invalid policy "constructor"'],
    ['path "x" { policy = ["read"] }', 'line 1: expected a quoted string, found ['],
    ['{"path": {"x": {"policy": "nope"}}}', 'path "x": invalid policy "nope"'],
    ['{"path": {"x": {"policy": 1}}}', 'path "x": invalid policy'],
    ['path "x" { capabilities = [""] }', 'line 1: path "x": invalid capability ""'],
    ['{"path": "x"}', 'path must be an object'],
    ['{"path": [{}, ["x"]]}', 'path must be an object'],
    ['{"path": {"x": "read"}}', 'path "x" must be an object'],
    ['{"path": {"x": ["read"]}}', 'path "x" must be an object'],
    ['{"path": {"x": null}}', 'path "x" must be an object'],
    ['{"path": {"x": {}}}', 'path "x": invalid capability ""'],
    ['{"path": {"x": {"capabilities": [7]}}}', 'path "x": invalid capability'],
    ['{"names": "p", "path": {}}', '"names" is not supported in a policy'],
  ])('is rejected with the cause: %s', async ([text = '', message = '']) => {
    const { put, get } = await secrets();
    const reply = await put('sys/policies/acl/p', { policy: text });
    expect(outcome(reply)).toBe(`400 failed to parse policy: ${message}`);
    expect((await get('sys/policies/acl/p')).status).toBe(404);
  });

  test('is rejected with the line of an invalid quoted string', async () => {
    const { put } = await secrets();
    const body = { policy: '\npath "a\\q" { capabilities = [] }\n' };
    expect(outcome(await put('sys/policies/acl/p', body))).toMatch(/^400 failed to parse policy: line 2: \w/);
  });
});
