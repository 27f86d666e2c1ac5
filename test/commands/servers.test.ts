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

describe('a redirect to a server that is not listed', () => {
  test.each(['LANYARD_SECRETS_ADDR', 'VAULT_ADDR', 'profile', '--address'])(
    'shows the setting that adds it, which works (%s)',
    async (source) => {
      const standby = await serve(({ url }, response) =>
        response.writeHead(307, { Location: running.addresses.secrets + url }).end(),
      );
      const env: Record<string, string> = { LANYARD_SECRETS_ADDR: '' };
      let command = 'kv put secret/redirected K=V';
      if (source === 'profile') {
        await run(`profile put cluster secrets.address=${standby.url} secrets.token=env://OF_CLUSTER`);
        env.OF_CLUSTER = running.rootToken;
        command += ' -p cluster';
      } else if (source === '--address') command += ` --address ${standby.url}`;
      else env[source] = standby.url;
      const ran = await run(command, env);
      expect(ran.code).toBe(1);
      const list = `${standby.url},${running.addresses.secrets}`;
      if (source === 'profile') {
        expect(ran.stderr).toContain(`add it: "lanyard profile put cluster secrets.addresses=${list}".\n`);
        await run(`profile put cluster secrets.addresses=${list}`);
        expect(await run(command, env)).toMatchObject({ code: 0 });
        return;
      }
      const instead = source === '--address' ? ' instead of --address' : '';
      expect(ran.stderr).toContain(`cluster, set LANYARD_SECRETS_ADDR=${list}${instead}.\n`);
      const again = 'kv put secret/redirected K=V';
      expect(await run(again, { ...env, LANYARD_SECRETS_ADDR: list })).toMatchObject({ code: 0 });
    },
  );
});
