import { readdir, readFile } from 'node:fs/promises';
import type { Agent } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EmbeddedProcess } from '../../../support/embedded.ts';
import { sized } from '../../../support/soak.ts';
import { killedOften, type Load } from '../killing.ts';
import { call, folder, type Reply } from '../support.ts';
import { accounts, type Item, type Listed, seeded } from './support.ts';

/** Asks the service that runs now; rejects when it is killed before it answers. */
type Ask = (method: string, path: string, body?: unknown) => Promise<Reply>;

const kills = sized(12, 4);

function askerOf(running: EmbeddedProcess, agent: Agent): Ask {
  const headers = { Authorization: `Bearer ${running.accountsToken}` };
  return (method, path, body) =>
    call(running.accounts, method, `/v1/${path}`, {
      token: null,
      headers,
      agent,
      ...(body !== undefined && { body }),
    });
}

async function resultOf(ask: Ask, method: string, path: string, body?: unknown): Promise<Item> {
  const { status, text, json } = await ask(method, path, body);
  expect(status, text).toBe(200);
  return json as unknown as Item;
}

/** Makes accounts, changes each, and deletes every second one. */
function lives(name: string): Load<Ask> {
  const known = new Map<string, 'made' | 'changed' | 'deleted' | 'unknown'>();
  let count = 0;
  return {
    async write(ask) {
      const attributes = { login_name: `${name}-${count++}` };
      const { id } = await resultOf(ask, 'POST', 'accounts', { auth_method_id: seeded, attributes });
      known.set(id, 'unknown');
      await resultOf(ask, 'PATCH', `accounts/${id}`, { version: 1, description: 'changed' });
      known.set(id, 'changed');
      if (count % 2 > 0) return;
      known.set(id, 'unknown');
      expect((await ask('DELETE', `accounts/${id}`)).status).toBe(204);
      known.set(id, 'deleted');
    },
    async check(ask) {
      for (const [id, state] of known) {
        const { status, json } = await ask('GET', `accounts/${id}`);
        if (state === 'changed') expect(json).toMatchObject({ id, version: 2, description: 'changed' });
        if (state === 'deleted') expect(status).toBe(404);
      }
    },
  };
}

/** Counts in the description of one account, which its version tells, too. */
function counts(): Load<Ask> {
  let id: string | undefined;
  let attempts = 0;
  let sent = 0;
  let kept = 0;
  return {
    async write(ask) {
      // One whose answer was lost may be there.
      const attributes = { login_name: `counter-${attempts++}` };
      id ??= (await resultOf(ask, 'POST', 'accounts', { auth_method_id: seeded, attributes })).id;
      sent = kept + 1;
      await resultOf(ask, 'PATCH', `accounts/${id}`, { version: sent, description: `${sent}` });
      kept = sent;
    },
    async check(ask) {
      if (id === undefined || sent === 0) return;
      const { version, description = '0' } = await resultOf(ask, 'GET', `accounts/${id}`);
      expect([kept, sent]).toContain(Number(description));
      kept = Number(description);
      expect(version).toBe(kept + 1);
    },
  };
}

/** A list that is followed, also while others write, has what is there after a restart, and nothing else. */
function follower(): Load<Ask> {
  const seen = new Set<string>();
  let token = '';
  const follow = async (ask: Ask, list_token: string, into: Set<string>): Promise<string> => {
    const query = new URLSearchParams({ auth_method_id: seeded, list_token });
    const page = (await resultOf(ask, 'GET', `accounts?${query}`)) as unknown as Partial<Listed>;
    const { items = [], removed_ids = [], list_token: next = '' } = page;
    for (const { id } of items) into.add(id);
    for (const id of removed_ids) into.delete(id);
    return page.response_type === 'complete' ? next : follow(ask, next, into);
  };
  return {
    async write(ask) {
      token = await follow(ask, token, seen);
    },
    async check(ask) {
      token = await follow(ask, token, seen);
      const fresh = new Set<string>();
      await follow(ask, '', fresh);
      expect([...seen].sort()).toEqual([...fresh].sort());
    },
  };
}

test('killed at random moments under load, the service has every confirmed change', async () => {
  const count = await killedOften<Ask>({
    name: 'the account service',
    data: await folder(),
    kills,
    loads: [...['a', 'b', 'c', 'd'].map(lives), counts(), follower()],
    asker: askerOf,
    async started(running, _ask, killed) {
      expect(running.accountsPassword === undefined).toBe(killed > 0);
    },
  });
  expect(count).toBeGreaterThan(kills);
});

test('of 50 writers at one account none overwrites an unseen change', async () => {
  const { ask, json, made } = await accounts();
  const { id } = await made('counter', { description: '0' });
  let conflicts = 0;
  const count = async (): Promise<void> => {
    for (;;) {
      const { version, description } = await json('GET', `accounts/${id}`);
      const { status } = await ask('PATCH', `accounts/${id}`, {
        version,
        description: `${Number(description) + 1}`,
      });
      if (status === 200) return;
      expect(status).toBe(404);
      conflicts++;
    }
  };
  await Promise.all(Array.from({ length: 50 }, count));
  expect(await json('GET', `accounts/${id}`)).toMatchObject({ version: 51, description: '50' });
  expect(conflicts).toBeGreaterThan(0);
});

test('no file has a password or a token in clear', async () => {
  const data = await folder();
  const service = await accounts({ dataDirectory: data });
  const words = ['a password of ada', 'another one of ada', 'and the last of ada'] as const;
  const { id } = await service.made('ada', {}, words[0]);
  const tokens = [await service.login('ada', words[0])];
  const body = { version: 1, current_password: words[0], new_password: words[1] };
  await service.json('POST', `accounts/${id}:change-password`, body, tokens[0]);
  await service.json('POST', `accounts/${id}:set-password`, { version: 2, password: words[2] });
  tokens.push(await service.login('ada', words[2]), service.accountsToken);
  const issuer = {
    type: 'oidc',
    attributes: { issuer: 'https://id.example', client_secret: 'never stored in clear' },
  };
  await service.json('POST', 'auth-methods', { scope_id: 'global', ...issuer });
  const secrets = [...words, ...tokens.map((token) => token.slice(14)), 'never stored in clear'];
  const files = (await readdir(data, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  );
  const contents = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name))));
  expect(contents.some((content) => content.includes(id))).toBe(true);
  for (const secret of [...secrets, service.accountsPassword ?? '-'])
    expect(contents.some((content) => content.includes(secret))).toBe(false);
});

test('a password given at a start replaces the one before, and the start-up token does, too', async () => {
  const data = await folder();
  const first = await accounts({ dataDirectory: data, accounts: { password: 'correct horse battery' } });
  await first.close();
  const tokens = { token: 'at_other_secret', password: 'quite another one' };
  const second = await accounts({ dataDirectory: data, accounts: tokens });
  expect((await second.authenticate('admin', 'correct horse battery')).status).toBe(401);
  expect(await second.login('admin', 'quite another one')).toMatch(/^at_/);
  expect((await second.rejected('GET', 'scopes/global'))[0]).toBe(401);
  expect(await second.json('GET', 'scopes/global', undefined, 'at_other_secret')).toMatchObject({
    id: 'global',
  });
});
