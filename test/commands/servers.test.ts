import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Home, home, type Ran } from '../support/run.ts';
import { services, type TestServices } from '../support/services.ts';
import { type Handler, json, serve } from '../unit/api/support.ts';
import { words } from './signing.ts';

let at: Home;
let running: TestServices;
beforeAll(async () => {
  at = home();
  running = await services(at);
});
afterAll(async () => {
  await running.close();
  at.remove();
});
const run = (argv: string, env: Record<string, string> = {}): Promise<Ran> => at.run(words(argv), { env });

// As OpenBao 2.6.2 sends them.
const sealed: Handler = ({ url }, response) =>
  url.startsWith('/v1/sys/health')
    ? json(response, { initialized: true, sealed: true, standby: true }, 503)
    : json(response, { errors: ['Vault is sealed'] }, 503);

describe('several servers', () => {
  test('run reads several secrets while the first server is sealed', async () => {
    for (const name of ['a', 'b', 'c']) await run(`kv put secret/${name} ${name.toUpperCase()}=1`);
    const first = await serve(sealed);
    const ran = await run('run --kv secret/a --kv secret/b --kv secret/c -- true', {
      LANYARD_SECRETS_ADDR: `${first.url},${running.addresses.secrets}`,
    });
    expect(ran.code, ran.stderr).toBe(0);
  });
});
