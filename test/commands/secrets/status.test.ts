import { describe, expect, test } from 'vitest';
import { homeForAll, outputOf, quietOutputOf, servicesForAll } from '../../support/command-tests.ts';
import { json, serve } from '../../unit/api/support.ts';

const at = homeForAll();
const running = servicesForAll(at);
const status = (env: Record<string, string> = {}, ...more: string[]) =>
  at.run(['secrets', 'status', ...more], { env });

describe('secrets status', () => {
  test('describes the state of the service, without a token', async () => {
    const stdout = quietOutputOf(await status({ LANYARD_SECRETS_TOKEN: '' }));
    expect(stdout).toContain(`address\t${running.addresses.secrets}\nstate\tactive\n`);
    expect(stdout).toContain('initialized\tyes\nsealed\tno\n');
    expect(stdout).toMatch(/unseal keys\t\d+ of \d+ required\n/);
    const data = JSON.parse((await status({}, '-o', 'json')).stdout);
    expect(data).toMatchObject({ state: 'active', health: { sealed: false }, seal: { sealed: false } });
  });

  test.each([
    [200, { initialized: true, sealed: false }, 'active', 0],
    [429, { initialized: true, sealed: false }, 'standby', 0],
    [472, { initialized: true, sealed: false }, 'disaster-recovery secondary', 0],
    [473, { initialized: true, sealed: false }, 'performance standby', 0],
    [501, { initialized: false, sealed: true }, 'not initialized', 8],
    [503, { initialized: true, sealed: true }, 'sealed', 8],
    [503, { initialized: true, sealed: false }, 'down for maintenance', 8],
  ])('reports %i (%j) as "%s", exit code %i', async (code, health, state, exitCode) => {
    const server = await serve(({ url }, response) =>
      url.startsWith('/v1/sys/health')
        ? json(response, health, code)
        : json(response, { sealed: health.sealed, t: 3, n: 5, progress: 1 }),
    );
    const ran = await status({ LANYARD_SECRETS_ADDR: server.url });
    expect(ran.code).toBe(exitCode);
    expect(ran.stdout).toContain(`state\t${state}\n`);
    expect(ran.stdout).toContain(
      health.sealed ? 'unseal keys\t3 of 5 required, 1 provided\n' : 'unseal keys\t3 of 5 required\n',
    );
    expect(server.seen).toHaveLength(2);
  });

  test('works without the seal status if the service hides it', async () => {
    const server = await serve(({ url }, response) =>
      url.startsWith('/v1/sys/health')
        ? json(response, { initialized: true, sealed: false })
        : json(response, { errors: ['permission denied'] }, 403),
    );
    const stdout = outputOf(await status({ LANYARD_SECRETS_ADDR: server.url }, '-o', 'json'));
    expect(JSON.parse(stdout).seal).toBeNull();
  });

  test('of a service that is not there is unreachable', async () => {
    expect((await status({ LANYARD_SECRETS_ADDR: 'http://127.0.0.1:9' })).code).toBe(7);
  });
});
