import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';
import { normalize } from '../../src/state/normalize.ts';
import { sized } from '../support/soak.ts';
import { benchForAll, kindOf, newSetId, policy, type Stated, secret, variable, writeSet } from './bench.ts';

const bench = await benchForAll();

/** Numbers from 0 to 1 that depend on the seed only. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const key = (name: string, value: string): Stated => ({
  kind: 'registry.key',
  identity: { scope: {}, key: name },
  spec: { value, flags: value.length },
});
const namespace = (name: string, text: string): Stated => ({
  kind: 'scheduler.namespace',
  identity: { scope: {}, key: name },
  spec: text.length % 2 === 0 ? { Description: text } : { Meta: { [text]: 'x', same: 'y' } },
});
const role = (name: string, text: string): Stated => ({
  kind: 'registry.role',
  identity: { scope: {}, key: name },
  spec: {
    Description: text,
    ...(text.length % 2 === 0 && { NodeIdentities: [{ NodeName: text, Datacenter: 'dc1' }] }),
  },
});
const makers: readonly ((name: string, text: string) => Stated)[] = [
  policy,
  key,
  namespace,
  role,
  (name, text) => variable(name, { [text]: text, same: 'x' }),
  (name, text) => secret(name, { value: text, [text]: text.length }),
];

test.each([1, 2, 3].slice(0, sized(3, 1)))(
  '30 random changes are undone one after the other, seed %i',
  async (seed) => {
    const random = randomOf(seed);
    const pick = (below: number): number => Math.floor(random() * below);
    const id = newSetId();
    const identity = await generateX25519Identity();
    bench.at.write('key.txt', `${identity}\n`, 0o600);
    const recipient = await identityToRecipient(identity);
    const names = makers.flatMap((_make, index) =>
      ['a', 'b'].map((name) => ({ index, name: `r${seed}-${name}` })),
    );
    const stated = new Map<number, Stated>();
    const snapshot = async () => {
      const { others } = bench;
      return Promise.all(
        names.map(async ({ index, name }) => {
          const object = makers[index]?.(name, '') ?? policy('');
          const kind = kindOf(object.kind);
          const live = await kind.read(others, object.identity);
          return live && [object.kind, name, normalize(kind.schema, live.spec)];
        }),
      );
    };
    const run = async (argv: readonly string[]): Promise<void> => {
      const { code, stdout, stderr } = await bench.run(argv);
      expect(code, `${argv.join(' ')}\n${stdout}${stderr}`).toBe(0);
    };
    const states: unknown[] = [];
    const rounds = 6;
    for (let round = 0; round < rounds; round += 1) {
      for (let change = 0; change < 30 / rounds; change += 1) {
        const which = pick(names.length);
        const { index, name } = names[which] ?? { index: 0, name: '' };
        if (stated.has(which) && pick(3) === 0 && stated.size > 1) stated.delete(which);
        else stated.set(which, makers[index]?.(name, 'x'.repeat(1 + pick(5))) ?? policy(name));
      }
      states.push(await snapshot());
      const objects = [...stated.values()].map((object) => ({ ...object, metadata: { deletion: 'allow' } }));
      writeSet(bench, objects, {
        id,
        spec: {
          prune: {
            max: 50,
            kinds: [...new Set(objects.map(({ kind }) => kind)), 'scheduler.namespace', 'secrets.kv'],
          },
        },
      });
      const flags = ['--undo-recipient', recipient];
      const prune = ['--prune', '--prune-max', '50', '--prune-all'];
      await run(['apply', 'state', '--yes', ...prune, '--undo', `${id}-${round}.age`, ...flags]);
    }
    for (let round = rounds - 1; round >= 0; round -= 1) {
      await run(['apply', `${id}-${round}.age`, '--yes', '--identity', '@key.txt']);
      expect(await snapshot(), `round ${round}`).toEqual(states[round]);
    }
  },
);
