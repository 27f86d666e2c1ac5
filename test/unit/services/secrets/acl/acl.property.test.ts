import { Agent } from 'node:http';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { data, secrets } from '../support.ts';

// The priority rules that OpenBao publishes for the paths of policies, written as plainly as possible, and compared
// with what the service decides for real tokens.

interface Stanza {
  readonly path: string;
  readonly capabilities: readonly string[];
}

const isWildcard = (pattern: string): boolean => pattern.includes('+') || pattern.endsWith('*');

/** `+` is one segment that is not empty, `*` at the end is any text. */
function matches(pattern: string, path: string): boolean {
  const prefix = pattern.endsWith('*') ? pattern.slice(0, -1) : pattern;
  const segments = prefix
    .split('/')
    .map((segment) => (segment === '+' ? '[^/]+' : segment.replace(/[^a-z]/g, '\\$&')));
  return new RegExp(`^${segments.join('/')}${pattern.endsWith('*') ? '.*' : ''}$`).test(path);
}

/** Which of two wildcard patterns has the lower priority, by the published list. */
function isLower(a: string, b: string): boolean {
  const first = (pattern: string) => pattern.search(/[+*]/);
  if (first(a) !== first(b)) return first(a) < first(b);
  if (a.endsWith('*') !== b.endsWith('*')) return a.endsWith('*');
  const count = (pattern: string) => pattern.split('+').length;
  if (count(a) !== count(b)) return count(a) > count(b);
  if (a.length !== b.length) return a.length < b.length;
  return a < b;
}

/** The wildcard pattern that decides. */
function bestWildcard(patterns: readonly string[], path: string): string | undefined {
  const candidates = patterns.filter((pattern) => isWildcard(pattern) && matches(pattern, path));
  return candidates.find((one) => candidates.every((other) => other === one || isLower(other, one)));
}

const exact = (patterns: readonly string[], path: string): string | undefined =>
  patterns.find((pattern) => !isWildcard(pattern) && pattern === path);

/** A path that begins with a slash is the path without it. */
const plain = (path: string): string => path.replace(/^\//, '');

/** The union of the stanzas with the deciding pattern; nothing if one of them has `deny`. */
function granted(stanzas: readonly Stanza[], pattern: string | undefined): string[] {
  const all = stanzas
    .filter(({ path }) => plain(path) === pattern)
    .flatMap(({ capabilities }) => capabilities);
  return all.includes('deny') ? [] : [...new Set(all)].sort();
}

function capabilitiesOf(stanzas: readonly Stanza[], path: string): string[] {
  const patterns = stanzas.map((stanza) => plain(stanza.path));
  return granted(stanzas, exact(patterns, path) ?? bestWildcard(patterns, path));
}

/** A list uses the path with a trailing slash; a rule for the path without it also applies. */
function mayList(stanzas: readonly Stanza[], path: string): boolean {
  const patterns = stanzas.map((stanza) => plain(stanza.path));
  const pattern =
    exact(patterns, `${path}/`) ??
    exact(patterns, path) ??
    bestWildcard(patterns, `${path}/`) ??
    bestWildcard(patterns, path);
  return granted(stanzas, pattern).includes('list');
}

const text = (stanzas: readonly Stanza[]): string =>
  stanzas
    .map(({ path, capabilities }) => `path "${path}" { capabilities = ${JSON.stringify(capabilities)} }`)
    .join('\n') || '# nothing';

const capabilities = fc.oneof(
  { weight: 9, arbitrary: fc.subarray(['create', 'delete', 'list', 'read', 'update'], { minLength: 1 }) },
  { weight: 1, arbitrary: fc.constant(['deny']) },
  { weight: 1, arbitrary: fc.constant(['deny', 'list', 'read']) },
);

const segments = (own: readonly string[]) =>
  fc.array(fc.constantFrom(...own), { minLength: 1, maxLength: 3 });
const below = (start: string, own: readonly string[], ends: readonly string[]) =>
  fc
    .tuple(segments(own), fc.constantFrom(...ends))
    .map(([names, end]) => `${start}${names.join('/')}${end}`.replace('+*', '+/*'));

const stanzasBelow = (start: string) =>
  fc.array(
    fc.record({
      path: fc.oneof(
        { weight: 12, arbitrary: below(start, ['a', 'b', 'ab', '+', '+'], ['', '', '', '/', '*', '/*']) },
        { weight: 1, arbitrary: fc.constantFrom(`${start}*`, `${start}+`, '*', '+/*', '//*', '//+') },
      ),
      capabilities,
    }),
    { maxLength: 7 },
  );

/** A service, a token with two policies, and a way to replace these. */
async function prepared() {
  const { ask, createToken, policy } = await secrets();
  const { client_token: token } = await createToken({ policies: ['first', 'second'] });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return {
    replace: async (first: readonly Stanza[], second: readonly Stanza[]) => {
      await policy('first', text(first));
      await policy('second', text(second));
    },
    ask: (method: string, path: string, body?: object) =>
      ask(method, path, { token, agent, ...(body && { body }) }),
  };
}

describe('the most specific path of the policies of a token', () => {
  test('is the lexicographically greater one if everything else is equal', async () => {
    const { ask, replace } = await prepared();
    await replace(
      [
        { path: 'a/+/+/b', capabilities: ['read'] },
        { path: 'a/+/b/+', capabilities: ['list'] },
      ],
      [
        { path: 'a/+/+/!', capabilities: ['read'] },
        { path: 'a/+/!/+', capabilities: ['list'] },
      ],
    );
    const paths = ['a/x/b/b', 'a/x/!/!'];
    expect(data(await ask('POST', 'sys/capabilities-self', { paths }))).toEqual({
      'a/x/b/b': ['list'],
      'a/x/!/!': ['read'],
    });
  });

  test('decides what the token may do, by the published priority rules', async () => {
    const { ask, replace } = await prepared();
    const paths = fc.array(below('', ['a', 'b', 'ab', 'abb', '+', '*', ''], ['', '', '/', 'x']), {
      minLength: 8,
      maxLength: 30,
    });
    const decided = new Set<string>();
    await fc.assert(
      fc.asyncProperty(stanzasBelow(''), stanzasBelow(''), paths, async (first, second, asked) => {
        await replace(first, second);
        const names = [...new Set(asked.filter((path) => path !== ''))];
        fc.pre(names.length > 1);
        const answers = data(await ask('POST', 'sys/capabilities-self', { paths: names })) ?? {};
        for (const path of names) {
          const expected = capabilitiesOf([...first, ...second], plain(path));
          decided.add(expected.join());
          expect(answers[path], path).toEqual(expected.length === 0 ? ['deny'] : expected);
        }
      }),
      { seed: 11, numRuns: 250 },
    );
    expect(decided.size).toBeGreaterThan(20);
  });

  test('decides which requests are permitted', async () => {
    const { ask, replace } = await prepared();
    const paths = fc.array(below('', ['a', 'b', 'ab', '+'], ['']), { minLength: 3, maxLength: 5 });
    const outcomes = { 200: 0, 403: 0 };
    const start = 'shelf/echo/';
    await fc.assert(
      fc.asyncProperty(stanzasBelow(start), stanzasBelow(start), paths, async (first, second, asked) => {
        await replace(first, second);
        const stanzas = [...first, ...second];
        for (const path of new Set(asked.map((each) => start + each))) {
          const own = capabilitiesOf(stanzas, path);
          const expected = {
            GET: own.includes('read'),
            DELETE: own.includes('delete'),
            LIST: mayList(stanzas, path),
          };
          for (const [method, isPermitted] of Object.entries(expected)) {
            const { status } = await ask(method, path);
            expect([method, path, status]).toEqual([method, path, isPermitted ? 200 : 403]);
            outcomes[status as 200 | 403]++;
          }
        }
      }),
      { seed: 11, numRuns: 100 },
    );
    expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(100);
  });
});
