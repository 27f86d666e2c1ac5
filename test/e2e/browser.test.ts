import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/services/core/store/store.ts';
import type { EmbeddedOptions } from '../../src/services/start-services.ts';
import { headlessOptions } from '../support/chromium.ts';
import { listening } from '../support/ports.ts';
import { has, pathOf } from '../support/require.ts';
import { folder, type Started, start } from '../unit/services/support.ts';

// A browser as people have it, and a page that tries whatever a page may send without asking first.

const run = promisify(execFile);

/** What the page says of each thing that it tried. */
type Tried = Readonly<Record<string, string>>;

/** What a server that rejects nothing saw of the browser. */
interface Seen {
  readonly method: string | undefined;
  readonly origin: string | undefined;
}

interface Target {
  readonly name: string;
  /** Of a service, by number. */
  readonly address: string;
  /** Of a request that does something, needs no token where there is such a one, and has this body. */
  readonly path: string;
  readonly body: string;
}

const password = 'a password that the page knows';

const targetsOf = ({ addresses }: Started): Target[] => [
  {
    name: 'secrets',
    address: addresses.secrets,
    path: '/v1/sys/init',
    body: '{"secret_shares":1,"secret_threshold":1}',
  },
  {
    name: 'registry',
    address: addresses.registry,
    path: '/v1/query',
    body: '{"Name":"evil","Service":{"Service":"web"}}',
  },
  { name: 'scheduler', address: addresses.scheduler, path: '/v1/acl/bootstrap', body: '{}' },
  {
    name: 'box',
    address: addresses.box,
    path: '/api/v1/authenticate',
    body: `{"user":{"login":"dev","password":"${password}"}}`,
  },
  {
    name: 'accounts',
    address: addresses.accounts,
    path: '/v1/auth-methods/ampw_1234567890:authenticate',
    body: `{"attributes":{"login_name":"admin","password":"${password}"}}`,
  },
];

const page = readFileSync(join(import.meta.dirname, '../support/hostile-page.html'), 'utf8');

type Handle = (request: IncomingMessage, body: string) => Promise<string> | string;

/** A server that rejects nothing; gives its port. */
async function served(handle: Handle): Promise<number> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.setHeader('Content-Type', 'text/html');
    response.end(await handle(request, body));
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (await listening(server)).port;
}

/** Opens a page in a browser that leads names of a hostile site to this machine, and waits until it has finished. */
async function open(url: string): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'lanyard-browser-'));
  const ended = new AbortController();
  onTestFinished(() => {
    ended.abort();
    return rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });
  await run(
    pathOf('chromium'),
    [
      ...headlessOptions,
      `--user-data-dir=${profile}`,
      '--host-resolver-rules=MAP evil.test 127.0.0.1',
      '--dump-dom',
      url,
    ],
    {
      env: { ...process.env, HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile },
      signal: ended.signal,
    },
  );
}

/** The keys of all that is kept in a data directory: what the page tries would add some in every service. */
async function keysIn(data: string): Promise<string[]> {
  const store = await openStore(data);
  const keys = store.keys('');
  await store.close();
  return keys;
}

describe.skipIf(!has('chromium'))('a page in a browser', () => {
  test.for(['evil.test', 'localhost'])(
    'at http://%s sends forms, fetches, images and frames to every service, and nothing is done',
    { timeout: 120_000 },
    async (site) => {
      const data = await folder();
      const options: Partial<EmbeddedOptions> = {
        dataDirectory: data,
        uninitialized: true,
        accounts: { password, token: 'at_AbCdEf0123_Secret' },
        box: { token: 'a token', owners: { users: [{ name: 'dev', password }] } },
      };
      await (await start(options)).close();
      const before = await keysIn(data);
      const started = await start(options);
      const seen: Seen[] = [];
      const witness = await served(({ method, headers: { origin } }) => {
        seen.push({ method, origin });
        return '';
      });
      const targets = [
        ...targetsOf(started),
        { name: 'witness', address: `http://127.0.0.1:${witness}`, path: '/write', body: '{}' },
      ];
      let tried: Tried = {};
      const home = Promise.withResolvers<string>();
      const port = await served(({ url }, body) => {
        if (url === '/home') {
          tried = JSON.parse(body);
          home.resolve('');
        }
        if (url === '/hold') return home.promise;
        return url === '/page' ? page.replace('TARGETS', JSON.stringify(targets)) : '';
      });
      await open(`http://${site}:${port}/page`);

      // Each was sent, and answered: what was not would be an error.
      for (const { name } of targets) {
        const results = Object.entries(tried).filter(([what]) => what.startsWith(`${name}: `));
        for (const [what, result] of results)
          expect(result, what).toMatch(
            what.endsWith('fetch, cors')
              ? 'error: TypeError'
              : what.includes('fetch')
                ? 'opaque 0'
                : what.endsWith('image')
                  ? 'not loaded'
                  : 'loaded',
          );
        expect(results).toHaveLength(9);
      }
      const origin = `http://${site}:${port}`;
      for (const [method, sent] of [
        ['POST', origin],
        ['POST', 'null'],
        ['OPTIONS', origin],
        ['GET', undefined],
      ] as const)
        expect(
          seen.some((each) => each.method === method && each.origin === sent),
          `${method} ${sent}`,
        ).toBe(true);

      await started.close();
      expect(await keysIn(data)).toEqual(before);
    },
  );
});
