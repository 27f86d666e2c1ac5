import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountsOperations } from '../../src/api/accounts.ts';
import { boxOperations } from '../../src/api/box.ts';
import { type Operation, target } from '../../src/api/operation.ts';
import { registryOperations } from '../../src/api/registry.ts';
import { schedulerOperations } from '../../src/api/scheduler.ts';
import { secretsOperations } from '../../src/api/secrets.ts';
import { kvOperations } from '../../src/api/secrets-kv.ts';
import { sshOperations } from '../../src/api/secrets-ssh.ts';
import { LanyardError } from '../../src/errors.ts';
import { counted, sized } from '../support/soak.ts';
import { names, seed } from './names.ts';

type AnyOperation = Operation<Record<string, unknown>, unknown>;

const tables = [
  ...[secretsOperations, kvOperations, sshOperations, registryOperations, boxOperations, schedulerOperations],
  accountsOperations,
];
const operations = tables
  .flatMap((table) => Object.values(table) as unknown as AnyOperation[])
  .filter(({ path, handedOut }) => path.includes('{') && handedOut === undefined);

/** How many times the names are tried; each with every operation of a group that changes with the name. */
const runs = sized(100_000, 2_000);
/** Operations for each name. */
const group = 8;

/**
 * Is a path the template with these members in their places? What is in a place has none of the characters that end a
 * segment, a path or a query, and is the member again when it is decoded.
 */
function isOwn(template: string, path: string, input: Readonly<Record<string, string>>): boolean {
  expect(path).not.toMatch(/\/\/|[?#\\]/);
  const possible = template.split(/(\{[+*]?[^}]+\})/).reduce<readonly string[]>(
    (paths, part) => {
      const [, several, name] = /^\{([+*]?)([^}]+)\}$/.exec(part) ?? [];
      if (name === undefined) return paths.map((start) => start + part);
      const value = input[name] ?? '';
      const segments = (several ? value.split('/') : [value]).map(encodeURIComponent);
      // A key of the registry whose segments would be cleaned is one segment.
      const forms = [segments.join('/'), ...(several === '*' ? [encodeURIComponent(value)] : [])];
      return paths.flatMap((start) => forms.map((form) => start + form));
    },
    [''],
  );
  return possible.includes(path);
}

test('there are operations of all services whose paths have names', () => {
  expect(new Set(operations.map(({ service }) => service)).size).toBe(5);
  expect(operations.length).toBeGreaterThan(60);
});

test('a name leads to the own route of the operation, or is a usage error', async () => {
  let accepted = 0;
  let rejected = 0;
  let turn = 0;
  await counted('routes of the operations', async (tried) => {
    fc.assert(
      fc.property(names, names, (name, other) => {
        for (let count = 0; count < group; count++) {
          tried();
          const operation = operations[turn++ % operations.length] as AnyOperation;
          const members = [...operation.path.matchAll(/\{[+*]?([^}]+)\}/g)].map(
            ([, member]) => member as string,
          );
          const input = Object.fromEntries(
            members.map((member, at) => [member, at % 2 === 0 ? name : other]),
          );
          try {
            const { path, method } = target(operation, input);
            accepted++;
            const [own = ''] = path.split('?', 1);
            // What every URL parser on the way makes of it is the same again.
            expect(new URL(`http://localhost${path}`).pathname).toBe(own);
            expect(method).toBe(operation.method);
            expect(isOwn(operation.path, own, input)).toBe(true);
          } catch (error) {
            if (!(error instanceof LanyardError)) throw error;
            expect(error.kind).toBe('usage');
            rejected++;
          }
        }
      }),
      { numRuns: runs, seed, endOnFailure: true },
    );
  });
  // Both are many: the names are neither all nonsense nor all harmless.
  expect(accepted).toBeGreaterThan(runs);
  expect(rejected).toBeGreaterThan(runs);
});
