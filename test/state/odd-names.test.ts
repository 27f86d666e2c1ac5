import { expect, test } from 'vitest';
import { LanyardError } from '../../src/errors.ts';
import { readDocuments } from '../../src/state/documents.ts';
import { kinds } from '../../src/state/kinds.ts';
import { formatJson } from '../../src/wire/json.ts';
import { benchForAll, kindOf } from './bench.ts';
import { objectCases } from './objects.ts';

const bench = await benchForAll();

const names = [
  '.',
  '..',
  '../a',
  'a/..',
  'a/../b',
  'a/./b',
  '../../sys/policy/b',
  '/a',
  'a/',
  'a//b',
  'a.',
  'a..',
  '...',
  'a b',
  'a?b=c',
  'a#b',
  'a%2e%2e',
  '%2e%2e',
  'a\\b',
  'a\u0000b',
  'a\u001b[31mb',
  'a\nb',
  'a\u0085b',
  '\ud800',
  'a\udc00b',
  'a\u202eb',
  'ä',
];

const isNamed = (name: string): boolean => {
  const { nameIs, keyOf } = kindOf(name);
  return nameIs !== undefined && !keyOf;
};

const cases = objectCases.filter(
  ({ kind }, index) => objectCases.findIndex((each) => each.kind === kind) === index,
);

test('every kind is covered', () => {
  // OpenBao alone has issuers.
  const other = kinds.map(({ name }) => name).filter((name) => !cases.some(({ kind }) => kind === name));
  expect(other).toEqual(['secrets.ssh-issuer']);
});

test.each(cases)(
  'a name of $kind that is accepted can be planned',
  async ({ kind: name, identity, spec }) => {
    const own = { ...identity.scope, ...(isNamed(name) ? { name: identity.key } : {}) };
    const accepted: string[] = [];
    const text = formatJson({
      apiVersion: 'lanyard/v1',
      kind: name,
      metadata: { ...own, allowLiteral: true },
      spec,
    });
    expect(
      (await readDocuments([{ name: 'a.json', text }], { allowsUnknownFields: false })).problems,
    ).toEqual([]);
    for (const field of Object.keys(own))
      for (const odd of names) {
        const document = {
          apiVersion: 'lanyard/v1',
          kind: name,
          metadata: { ...own, [field]: odd, allowLiteral: true },
          spec,
        };
        // JSON has escapes for what YAML cannot have as characters.
        const text = formatJson(document).replaceAll(
          /[^ -~]/g,
          (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
        const { documents, problems } = await readDocuments([{ name: 'a.json', text }], {
          allowsUnknownFields: false,
        });
        const [found] = documents;
        if (problems.length > 0 || !found) continue;
        accepted.push(odd);
        try {
          await found.kind.read(bench.others, found.identity);
        } catch (error) {
          if (!(error instanceof LanyardError)) throw error;
          expect([error.kind, error.message], `${field}: ${JSON.stringify(odd)}`).not.toEqual([
            'usage',
            error.message,
          ]);
        }
      }
    // Keys that no path can have are written by transactions.
    const isForbidden = name === 'registry.key' ? /(?!)/u : /\p{Cc}/u;
    const forbidden = accepted.filter((odd) => isForbidden.test(odd) || !odd.isWellFormed());
    expect(forbidden).toEqual([]);
  },
);
