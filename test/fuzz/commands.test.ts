import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceNames } from '../../src/wire/services.ts';
import { factsAbout, sentOperations } from '../facts/facts.ts';
import { type FaultProxy, faultProxy } from '../faults/proxy.ts';
import { homeForAll, servicesForAll } from '../support/command-tests.ts';
import { operationNamed } from '../support/reached-operations.ts';
import { routeOf } from '../support/routes.ts';
import { counted, sized } from '../support/soak.ts';
import { names, seed } from './names.ts';

const at = homeForAll();
const running = servicesForAll(at);
let proxy: FaultProxy;

beforeAll(async () => {
  const targets = Object.fromEntries(
    serviceNames.map((name) => [name, { address: running.addresses[name], product: 'lanyard' }]),
  ) as unknown as Parameters<typeof faultProxy>[0];
  proxy = await faultProxy(targets);
  for (const name of serviceNames) at.env[`LANYARD_${name.toUpperCase()}_ADDR`] = proxy.targets[name].address;
  at.env.LANYARD_BOX_TOKEN = running.embedded.boxToken;
  at.env.LANYARD_ACCOUNTS_TOKEN = running.embedded.accountsToken;
  await at.run(['ssh', 'ca', 'create', '--key-type', 'ed25519']);
});
afterAll(async () => {
  await proxy.close();
});

/** A command with a name in it, and what every path that it sends requests to has. */
const commands = factsAbout('anyName').flatMap(([command, lines]) =>
  lines.map((line) => ({ title: `${command} ${line}`, command, words: `${command} ${line}`.split(' ') })),
);

test.each(commands)(
  '$title: any name ends without a crash, and no request leaves the routes of the command',
  async ({ title, command, words }) => {
    const runs = sized(400, 12);
    const routes = (sentOperations[command] ?? []).map((operation) =>
      routeOf(operationNamed(operation).path),
    );
    const before = words.slice(
      command.split(' ').length,
      words.findIndex((word) => word.includes('NAME')) + 1,
    );
    /** What is in the path whatever the name is: the other arguments, and what the name follows. */
    const fixed = before
      .map((word) => word.replace(/NAME$/, ''))
      .filter((word) => word !== '' && !word.startsWith('--'));
    await counted(title, async (tried) => {
      await fc.assert(
        fc.asyncProperty(names, async (name) => {
          tried();
          proxy.begin();
          // Arguments of a process are well-formed, and end at the first NUL.
          const given = name.toWellFormed().replaceAll('\0', '');
          const line = words.map((word) => word.replace('NAME', () => given));
          const ran = await at.run([...line, '--no-input'], { random: (length) => new Uint8Array(length) });
          expect(ran.stderr).not.toMatch(/Lanyard itself|\n\s+at .*\.ts/);
          expect([0, 1, 2, 3, 4, 5, 6, 9]).toContain(ran.code);
          for (const { url } of proxy.passed) {
            // Parsed as every server does it, the path is what it was.
            expect(new URL(url, 'http://localhost').pathname).toBe(url.split('?', 1)[0]);
            // Where the active server is has no part of the name.
            if (url === '/v1/sys/leader') continue;
            // The mount alone, which is before the name.
            if (fixed.some((each) => `${url}/` === `/v1/sys/internal/ui/mounts/${each}`)) continue;
            const route = routes.find((each) => each.exec(url));
            expect(route, `${url} is no route of ${command}`).toBeDefined();
            if (/[+*]/.test(route?.source ?? '')) for (const each of fixed) expect(url).toContain(each);
          }
          if (ran.code === 2) expect(proxy.passed.filter(({ method }) => method !== 'GET')).toEqual([]);
        }),
        { numRuns: runs, seed, endOnFailure: true },
      );
    });
  },
);
