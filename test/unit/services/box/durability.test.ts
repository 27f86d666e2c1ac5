import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sized } from '../../../support/soak.ts';
import { killedOften, type Load } from '../killing.ts';
import { call, folder, type Reply } from '../support.ts';
import { filesOf } from './images-support.ts';

// The box registry is killed, as by a power cut, during writes of metadata and uploads of images. A write that was
// confirmed is kept; one that was not is kept completely or not at all.

/** Data directories at once; each is killed so many times. */
const lanes = 2;
const kills = sized(12, 3);

/** Sends a request to the registry that runs now; rejects when it is killed before it responds. */
type Ask = (method: string, path: string, body?: unknown) => Promise<Reply>;

const api = (path: string): string => `/api/v1/${path}`;

async function done(reply: Promise<Reply>): Promise<NonNullable<Reply['json']>> {
  const { status, text, json } = await reply;
  expect(status, text).toBe(200);
  return json ?? {};
}

/** Creates boxes with a released version, and deletes every second one. */
function lives(name: string): Load<Ask> {
  const known = new Map<string, 'created' | 'released' | 'deleted' | 'unknown'>();
  let count = 0;
  return {
    async write(ask) {
      const box = `${name}-${count++}`;
      known.set(box, 'unknown');
      await done(ask('POST', api('boxes'), { box: { username: 'dev', name: box } }));
      known.set(box, 'created');
      await done(ask('POST', api(`box/dev/${box}/versions`), { version: { version: '1.0.0' } }));
      const provider = { name: 'kvm', url: 'https://images.example/a.box' };
      await done(ask('POST', api(`box/dev/${box}/version/1.0.0/providers`), { provider }));
      await done(ask('PUT', api(`box/dev/${box}/version/1.0.0/release`)));
      known.set(box, 'released');
      if (count % 2 > 0) return;
      known.set(box, 'unknown');
      await done(ask('DELETE', api(`box/dev/${box}`)));
      known.set(box, 'deleted');
    },
    async check(ask) {
      for (const [box, state] of known) {
        const { status, json } = await ask('GET', api(`box/dev/${box}`));
        expect(state === 'unknown' ? [200, 404] : [state === 'deleted' ? 404 : 200], box).toContain(status);
        if (state === 'released')
          expect(json).toMatchObject({
            versions: [{ version: '1.0.0', status: 'active', providers: [{ name: 'kvm' }] }],
          });
      }
      known.clear();
    },
  };
}

/** Counts in the two descriptions of one box, which are written together. */
function counts(box: string): Load<Ask> {
  let created = false;
  let sent = 0;
  let kept = 0;
  return {
    async write(ask) {
      if (!created) await ask('POST', api('boxes'), { box: { username: 'dev', name: box } });
      created = true;
      sent = kept + 1;
      const text = { description: `${sent}`, short_description: `${sent}` };
      await done(ask('PUT', api(`box/dev/${box}`), { box: text }));
      kept = sent;
    },
    async check(ask) {
      if (sent === 0) return;
      const { json } = await ask('GET', api(`box/dev/${box}`));
      const { description_markdown, short_description } = json as unknown as Record<string, string>;
      expect(description_markdown).toBe(short_description);
      kept = Number(short_description);
      expect([sent - 1, sent]).toContain(kept);
    },
  };
}

/** The image of a number: up to 600 KB, another one for each. */
const image = (n: number): string => `${n} `.repeat(1 + ((n * 37_501) % 200_000));
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Replaces the image of one provider again and again. */
function uploads(box: string): Load<Ask> {
  const version = api(`box/dev/${box}/version/1.0.0`);
  const provider = `${version}/provider/kvm`;
  let created = false;
  let sent = 0;
  let kept = 0;
  return {
    async write(ask) {
      if (!created) {
        // A response that was lost may have created it.
        await ask('POST', api('boxes'), { box: { username: 'dev', name: box } });
        await ask('POST', api(`box/dev/${box}/versions`), { version: { version: '1.0.0' } });
        await ask('POST', `${version}/providers`, { provider: { name: 'kvm' } });
        created = true;
      }
      const { upload_path } = await done(ask('GET', `${provider}/upload`));
      const { origin, pathname } = new URL(String(upload_path));
      sent = kept + 1;
      const reply = await call(origin, 'PUT', pathname, { token: null, body: image(sent) });
      expect(reply.status, reply.text).toBe(200);
      kept = sent;
    },
    async check(ask) {
      if (sent === 0) return;
      const path = `/dev/boxes/${box}/versions/1.0.0/providers/kvm.box`;
      const [{ status, text }, { json }] = [await ask('GET', path), await ask('GET', provider)];
      const found = status === 404 ? 0 : Number.parseInt(text, 10);
      expect([kept, sent]).toContain(found);
      kept = found;
      if (found === 0) return;
      expect(text === image(found)).toBe(true);
      expect(json).toMatchObject({ hosted: true, checksum_type: 'sha256', checksum: sha256(text) });
    },
  };
}

const images = ['e', 'f', 'g'] as const;

/** One data directory through all its kills: it has no files of interrupted uploads after a start. */
async function lane(): Promise<number> {
  const data = await folder();
  return killedOften<Ask>({
    name: 'the box registry',
    data,
    kills,
    loads: [...['a', 'b', 'c'].map(lives), counts('d'), ...images.map(uploads)],
    asker: (running, agent) => {
      const headers = { Authorization: `Bearer ${running.boxToken}` };
      return (method, path, body) =>
        call(running.box, method, path, { token: null, headers, agent, ...(body !== undefined && { body }) });
    },
    async started() {
      const names = await filesOf(data);
      expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
      expect(names.length).toBeLessThanOrEqual(images.length);
    },
  });
}

test(`killed at ${lanes * kills} random moments under load, the box registry has every confirmed write and image`, async () => {
  const counted = await Promise.all(Array.from({ length: lanes }, lane));
  expect(Math.min(...counted)).toBeGreaterThan(kills);
});
