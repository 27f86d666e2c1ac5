import { expect, test } from 'vitest';
import { sized } from '../../support/soak.ts';
import { killedOften, type Load } from './killing.ts';
import { call, folder, type Reply } from './support.ts';

// The services are killed, as in a power failure, during writes of each kind. An acknowledged write is kept;
// any other is applied completely or not at all.

/** Concurrent data directories, and kills of each. */
const lanes = 2;
const kills = sized(50, 6);

/** Sends a request to the running service; rejects if it is killed before the response. */
type Ask = (method: string, path: string, body?: object, token?: string) => Promise<Reply>;

type Data = Readonly<Record<string, unknown>>;
const dataOf = (reply: Reply): Data => (reply.json?.data ?? {}) as unknown as Data;

function answered(reply: Reply): Reply {
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply;
}

/** Versions of one key: numbered without gaps, each with the content of its number. */
function versions(key: string): Load<Ask> {
  let sent = 0;
  let kept = 0;
  return {
    async write(ask) {
      const n = kept + 1;
      sent = n;
      const body = { data: { n, same: n }, options: { cas: n - 1 } };
      const { version } = dataOf(answered(await ask('POST', `secret/data/${key}`, body)));
      expect(version).toBe(n);
      kept = n;
    },
    async check(ask) {
      const metadata = dataOf(await ask('GET', `secret/metadata/${key}`));
      const current = Number(metadata.current_version ?? 0);
      expect([kept, sent]).toContain(current);
      if (current === 0) return;
      const listed = Object.keys(metadata.versions as object).map(Number);
      const oldest = Math.max(1, current - 9);
      expect(listed).toEqual(Array.from({ length: current - oldest + 1 }, (_, index) => oldest + index));
      for (const n of new Set([oldest, current])) {
        const read = dataOf(answered(await ask('GET', `secret/data/${key}?version=${n}`)));
        expect(read).toMatchObject({ data: { n, same: n }, metadata: { version: n } });
      }
      kept = current;
    },
  };
}

/** Reads a key that is written concurrently: no version that was seen is lost at the next start. */
function reader(key: string): Load<Ask> {
  const look = async (ask: Ask) =>
    Number(dataOf(await ask('GET', `secret/metadata/${key}`)).current_version ?? 0);
  let seen = 0;
  return {
    async write(ask) {
      seen = await look(ask);
    },
    async check(ask) {
      expect(await look(ask)).toBeGreaterThanOrEqual(seen);
    },
  };
}

/** Roles, every third of which is deleted, which also removes it from the zero-address roles. */
function roles(prefix: string): Load<Ask> {
  const kept = new Map<string, number | 'removed' | 'being removed'>();
  let next = 0;
  let unanswered: string | undefined;
  return {
    async write(ask) {
      const n = next++;
      const name = `${prefix}-${n}`;
      unanswered = name;
      const body = {
        key_type: 'otp',
        default_user: `u${n}`,
        allowed_users: `u${n}`,
        cidr_list: '10.0.0.0/8',
      };
      answered(await ask('POST', `ssh/roles/${name}`, body));
      kept.set(name, n);
      unanswered = undefined;
      if (n % 3 > 0) return;
      kept.set(name, 'being removed');
      answered(await ask('DELETE', `ssh/roles/${name}`));
      kept.set(name, 'removed');
    },
    async check(ask) {
      const { keys } = dataOf(await ask('LIST', 'ssh/roles')) as { keys: readonly string[] };
      const there = new Set(keys.filter((name) => name.startsWith(`${prefix}-`)));
      for (const [name, state] of kept) {
        if (state === 'being removed')
          kept.set(name, there.has(name) ? Number(name.slice(prefix.length + 1)) : 'removed');
        else expect(there.has(name), name).toBe(state !== 'removed');
      }
      if (unanswered !== undefined && there.has(unanswered)) kept.set(unanswered, next - 1);
      expect(there.size).toBe([...kept.values()].filter((state) => state !== 'removed').length);
      for (const [name, n] of [...kept].slice(-3)) {
        if (n === 'removed') continue;
        const role = dataOf(answered(await ask('GET', `ssh/roles/${name}`)));
        expect(role).toMatchObject({ default_user: `u${n}`, allowed_users: `u${n}` });
      }
    },
  };
}

/** One-time passwords with their leases; every second one is verified immediately, and never again. */
function passwords(role: string): Load<Ask> {
  const made: { readonly otp: string; readonly lease: string; state: 'good' | 'used' | 'unknown' }[] = [];
  return {
    async write(ask) {
      const reply = answered(await ask('POST', `ssh/creds/${role}`, { ip: '10.0.0.1' }));
      const password = {
        otp: String(dataOf(reply).key),
        lease: String(reply.json?.lease_id),
        state: 'good' as const,
      };
      const entry: (typeof made)[number] = password;
      made.push(entry);
      if (made.length % 2 > 0) return;
      entry.state = 'unknown';
      answered(await ask('POST', 'ssh/verify', { otp: entry.otp }));
      entry.state = 'used';
    },
    async check(ask) {
      for (const { otp, lease, state } of made.splice(0)) {
        if (state === 'good')
          expect((await ask('POST', 'sys/leases/lookup', { lease_id: lease })).status).toBe(200);
        const tries = await Promise.all([1, 2, 3].map(() => ask('POST', 'ssh/verify', { otp })));
        const successes = tries.filter(({ status }) => status === 200).length;
        expect(state === 'unknown' ? [0, 1] : [state === 'good' ? 1 : 0]).toContain(successes);
      }
    },
  };
}

/** Tokens, and their accessors. */
function tokens(): Load<Ask> {
  const made: { readonly token: string; readonly accessor: string; readonly name: string }[] = [];
  let next = 0;
  return {
    async write(ask) {
      const name = `t${next++}`;
      const { json } = answered(
        await ask('POST', 'auth/token/create', { display_name: name, policies: ['default'] }),
      );
      const auth = json?.auth as unknown as { readonly client_token: string; readonly accessor: string };
      made.push({ token: auth.client_token, accessor: auth.accessor, name });
    },
    async check(ask) {
      for (const { token, accessor, name } of made.splice(0)) {
        const own = dataOf(answered(await ask('GET', 'auth/token/lookup-self', undefined, token)));
        expect(own).toMatchObject({ accessor, display_name: `token-${name}` });
        const found = dataOf(answered(await ask('POST', 'auth/token/lookup-accessor', { accessor })));
        expect(found).toMatchObject({ accessor, display_name: `token-${name}` });
      }
    },
  };
}

async function lane(name: string): Promise<number> {
  const loads = [
    ...['a', 'b', 'c'].map((key) => versions(`${name}/${key}`)),
    ...['x', 'y'].map(roles),
    ...[1, 2].map(() => passwords('hosts')),
    tokens(),
    reader(`${name}/a`),
  ];
  return killedOften<Ask>({
    name: 'the secrets service',
    data: await folder(),
    kills,
    loads,
    asker: (running, agent) => {
      return (method, path, body, token = running.token) =>
        call(running.address, method, `/v1/${path}`, { token, body, agent });
    },
    async started(_running, ask, killed) {
      if (killed > 0) return;
      const role = { key_type: 'otp', default_user: 'u', cidr_list: '10.0.0.0/8' };
      answered(await ask('POST', 'ssh/roles/hosts', role));
    },
  });
}

test(`killed at ${lanes * kills} random moments under load, the service has every acknowledged write and no partial one`, async () => {
  const counts = await Promise.all(Array.from({ length: lanes }, (_, index) => lane(`lane${index}`)));
  expect(Math.min(...counts)).toBeGreaterThan(kills * 5);
});
