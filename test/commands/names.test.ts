import { describe, expect, test } from 'vitest';
import { expectFailure, homeForTest } from '../support/command-tests.ts';
import { serve } from '../unit/api/support.ts';
import { makeKey } from './signing.ts';

const nonsense: readonly (readonly [string, RegExp])[] = [
  ['..', /must not contain "\.\." as a path segment/],
  ['.', /must not contain "\." as a path segment/],
  ['a/../b', /must not contain "\.\." as a path segment/],
  ['../ca', /must not contain "\.\." as a path segment/],
  ['a//b', /contains an empty path segment/],
  ['a/', /contains an empty path segment/],
  ['', /contains an empty path segment/],
  ['a.', /must not end with a period/],
  ['a\u0000b', /contains a control character/],
  ['a\nb', /contains a control character/],
  ['a\u009bb', /contains a control character/],
];

const commands: readonly (readonly [string, (name: string) => string[]])[] = [
  ['ssh sign ROLE', (name) => ['ssh', 'sign', name]],
  ['ssh sign --mount', (name) => ['ssh', 'sign', 'deploy', '--mount', name]],
  ['ssh role get NAME', (name) => ['ssh', 'role', 'get', name]],
  ['ssh role put NAME', (name) => ['ssh', 'role', 'put', name, '--allow-user-certificates']],
  ['ssh role delete NAME', (name) => ['ssh', 'role', 'delete', name, '--yes']],
  ['ssh role list --mount', (name) => ['ssh', 'role', 'list', '--mount', name]],
  ['ssh ca get --mount', (name) => ['ssh', 'ca', 'get', '--mount', name]],
  ['ssh ca create --mount', (name) => ['ssh', 'ca', 'create', '--mount', name]],
  ['ssh ca delete --mount', (name) => ['ssh', 'ca', 'delete', '--yes', '--mount', name]],
  ['ssh ca public-key --mount', (name) => ['ssh', 'ca', 'public-key', '--mount', name]],
];

describe.each(commands)('%s rejects an invalid name, and sends nothing:', (_command, argv) => {
  test.each(nonsense)('%j', async (name, message) => {
    const at = homeForTest();
    makeKey(at, '.ssh/id_ed25519', 'ed25519');
    const service = await serve((_seen, response) => response.end());
    const ran = await at.run(argv(name), {
      env: { LANYARD_SECRETS_ADDR: service.url, LANYARD_SECRETS_TOKEN: 'hvs.t' },
    });
    expectFailure(ran, 2, message, /^hint: Nothing was sent/m);
    expect(service.seen).toEqual([]);
  });
});

test('sends a name with special but valid characters unchanged', async () => {
  const at = homeForTest();
  const service = await serve((_seen, response) => response.writeHead(404).end('{"errors":[]}'));
  const env = { LANYARD_SECRETS_ADDR: service.url, LANYARD_SECRETS_TOKEN: 'hvs.t' };
  for (const name of ['...x', 'a b', 'ä%2e', 'a?b#c', "o'b"]) {
    expect((await at.run(['ssh', 'role', 'get', name], { env })).code).toBe(3);
    expect(service.seen.at(-1)?.url).toBe(`/v1/ssh/roles/${encodeURIComponent(name)}`);
  }
});

test('a name from outside is escaped where it is shown on a terminal', async () => {
  const at = homeForTest();
  const ran = await at.run(['ssh', 'role', 'get', '\x1b[31m..'], {
    env: { LANYARD_SECRETS_ADDR: 'http://localhost:1' },
  });
  expect(ran.code).toBe(2);
  expect(ran.stderr).not.toContain('\x1b');
});
