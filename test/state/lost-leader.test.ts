import { expect, test } from 'vitest';
import { kindNames } from '../../src/state/kinds.ts';
import type { ServiceName } from '../../src/wire/services.ts';
import { isWrite } from '../faults/proxy.ts';
import { benchForAll, everyObject, kindOf, newSetId, nextVersion, type Stated, writeSet } from './bench.ts';

// A leader is lost in the middle of an apply: a write gets no response, and the next requests find no leader.
const bench = await benchForAll();

const clustered: readonly ServiceName[] = ['secrets', 'registry', 'scheduler'];
const created = everyObject()
  .filter(({ kind }) => clustered.includes(kindOf(kind).service))
  .map((object): Stated => ({ ...object, metadata: { deletion: 'allow' } }));
const versions = [created, nextVersion(created)];
/** Paths of the secrets service; the others are of the registry and the scheduler. */
const ofSecrets = /^\/v1\/(?!kv\/|txn|acl|query|config|connect|agent|var|namespace|status|operator)/;
const noLeader = 'No cluster leader';
const noLeaderOfSecrets = JSON.stringify({ errors: ['no active Vault instance found'] });
const flags = ['--yes', '--prune', '--prune-max', '1000', '--prune-all'];
/** Without pauses between the attempts. */
const random = (length: number): Uint8Array => new Uint8Array(length);

test('an apply goes on or says what is missing; the next one completes it, and nothing exists twice', async () => {
  const id = newSetId();
  const apply = () => bench.run(['apply', 'state', ...flags], { random });
  for (const objects of versions) {
    writeSet(bench, objects, { id, spec: { prune: { max: 1000, kinds: [...kindNames] } } });
    let writes = 0;
    let lost = 0;
    bench.proxy.begin({
      picks: (request) => (isWrite(request) && ++writes === 20) || (lost > 0 && lost <= 8),
      forwards: false,
      play(socket, _reply, { url }) {
        lost += 1;
        const [status, text] = ofSecrets.test(url) ? [503, noLeaderOfSecrets] : [500, noLeader];
        if (lost === 1) socket.destroy();
        else socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
      },
    });
    const first = await apply();
    expect([0, 9], first.stderr).toContain(first.code);
    expect(first.stderr).not.toMatch(/not kept by the server|was changed/);
    bench.proxy.begin();
    const plan = () => bench.run(['plan', 'state', '--prune', '--prune-all']);
    if (first.code === 0) expect(await plan()).toMatchObject({ code: 0 });
    const again = await apply();
    expect(again.code, again.stdout + again.stderr).toBe(0);
    expect(await plan()).toMatchObject({ code: 0 });
  }
});
