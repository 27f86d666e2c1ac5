import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sized } from '../../../support/soak.ts';
import { killedOften, type Load } from '../killing.ts';
import { call, folder, type Reply } from '../support.ts';

// The scheduler is killed, as by a power cut, while many write. What was answered is there afterwards; what was not is
// there whole or not at all.

/** Data directories at once; each is killed so many times. */
const lanes = 2;
const kills = sized(8, 3);

/** What every value begins with: it is looked for in the data. */
const plain = 'plain-as-day';

/** Asks the scheduler that runs now; rejects when it is killed before it answers. */
type Ask = (method: string, path: string, body?: unknown) => Promise<Reply>;

const text = (n: number) => `${plain}-${n}`;

async function done(reply: Promise<Reply>): Promise<Reply> {
  const { status, text } = await reply;
  expect(status, text).toBe(200);
  return reply;
}

/** A variable that counts with check-and-set, and one of its own for every count, which stays. */
function counts(name: string): Load<Ask> {
  let sent = 0;
  let kept = 0;
  let index = 0;
  const logged: string[] = [];
  return {
    async write(ask) {
      sent = kept + 1;
      const body = { Items: { a: text(sent), b: text(sent) } };
      const { json } = await done(ask('PUT', `var/${name}/count?cas=${index}`, body));
      expect(Number(json?.ModifyIndex)).toBeGreaterThan(index);
      index = Number(json?.ModifyIndex);
      kept = sent;
      await done(ask('PUT', `var/${name}/log/${sent}?cas=0`, body));
      logged.push(`${name}/log/${sent}`);
    },
    async check(ask) {
      const { status, json } = await ask('GET', `var/${name}/count`);
      const Items = (json?.Items ?? { a: text(0), b: text(0) }) as { a: string; b: string };
      expect(Items.a).toBe(Items.b);
      const n = Number(Items.a.slice(plain.length + 1));
      expect([kept, sent]).toContain(n);
      if (status === 200) expect(Number(json?.ModifyIndex)).toBeGreaterThanOrEqual(index);
      kept = n;
      index = status === 200 ? Number(json?.ModifyIndex) : 0;
      const list = await ask('GET', `vars?prefix=${name}/log/`);
      const paths = (list.json as unknown as { Path: string }[]).map(({ Path }) => Path);
      expect(paths).toEqual(expect.arrayContaining(logged));
    },
  };
}

/** Variables in a namespace of their own, which are deleted, and then the namespace. */
function comings(name: string): Load<Ask> {
  let round = 0;
  let state: 'there' | 'gone' | 'unknown' = 'gone';
  return {
    async write(ask) {
      state = 'unknown';
      if (round % 2 === 0) {
        await done(ask('PUT', 'namespace', { Name: name }));
        await done(ask('PUT', `var/a?namespace=${name}`, { Items: { k: text(round) } }));
        state = 'there';
      } else {
        await done(ask('DELETE', `var/a?namespace=${name}`));
        await done(ask('DELETE', `namespace/${name}`));
        state = 'gone';
      }
      round++;
    },
    async check(ask) {
      const variable = await ask('GET', `var/a?namespace=${name}`);
      const namespace = await ask('GET', `namespace/${name}`);
      if (state !== 'unknown') {
        const status = state === 'there' ? 200 : 404;
        expect([variable.status, namespace.status]).toEqual([status, status]);
      }
      // Nothing is left in a namespace that is not there.
      if (variable.status === 200) expect(namespace.status).toBe(200);
      await ask('DELETE', `var/a?namespace=${name}`);
      await ask('DELETE', `namespace/${name}`);
      round = 0;
      state = 'gone';
    },
  };
}

/** Readers of the index, who never see one that is gone after the next start. */
function readers(): Load<Ask> {
  let seen = 0;
  const look = async (ask: Ask) => Number((await ask('GET', 'vars?prefix=none')).headers['x-nomad-index']);
  return {
    async write(ask) {
      seen = await look(ask);
    },
    async check(ask) {
      expect(await look(ask)).toBeGreaterThanOrEqual(seen);
    },
  };
}

/** One data directory through all its kills: it never has a value in clear. */
async function lane(): Promise<number> {
  const data = await folder();
  const count = await killedOften<Ask>({
    name: 'the scheduler',
    data,
    kills,
    loads: [...['a', 'b', 'c', 'd', 'e', 'f'].map(counts), ...['g', 'h', 'i'].map(comings), readers()],
    asker: (running, agent) => {
      return (method, path, body) =>
        call(running.scheduler, method, `/v1/${path}`, {
          token: null,
          agent,
          ...(body !== undefined && { body }),
        });
    },
  });
  for (const name of await readdir(data)) {
    expect((await readFile(join(data, name))).includes(plain), name).toBe(false);
  }
  return count;
}

test(`killed at ${lanes * kills} random moments under load, the scheduler has every confirmed write, and no value in clear`, async () => {
  const counted = await Promise.all(Array.from({ length: lanes }, lane));
  expect(Math.min(...counted)).toBeGreaterThan(kills);
});
