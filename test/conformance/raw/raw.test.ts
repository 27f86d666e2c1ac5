import { beforeAll, describe, expect, test } from 'vitest';
import { type Dialect, dialects } from '../dialects.ts';
import { embeddedTargets } from '../embedded.ts';
import { agreementOf, readAgreements, shareOf } from './agreement.ts';
import { type Compared, compareAll } from './compare-all.ts';
import { rawDialects } from './dialects.ts';
import { differentErrors, listedErrors } from './errors.ts';
import { digestOf, rawRecordings } from './recording.ts';
import { requestLists } from './requests.ts';

let compared: readonly Compared[];
beforeAll(async () => {
  const running = await embeddedTargets();
  try {
    compared = await compareAll(running);
  } finally {
    await running.close();
  }
});

/** How many requests each product is recorded with, at least. */
const leastRequests: Readonly<Record<string, number>> = { scheduler: 120, accounts: 120 };

/** The share of requests without a listed dialect that have the same response, at least, for each product. */
const leastShare = 0.95;

describe.each(requestLists.map((list) => [list.service, list] as const))('%s', (service, list) => {
  const recorded = list.requests.filter(({ isCleanup }) => !isCleanup);

  test('the requests have unique names', () => {
    const names = list.requests.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(recorded.length).toBeGreaterThanOrEqual(leastRequests[service] ?? 200);
  });

  test('the recording has the responses to these requests, in this order', () => {
    const recording = rawRecordings().find((each) => each.service === service);
    expect(
      recording?.responses.map(({ name, of }) => `${name} (${of})`),
      'record again: npm run conformance:raw -- --record',
    ).toEqual(recorded.map((request) => `${request.name} (${digestOf(request)})`));
  });
});

describe('the embedded services', () => {
  test('respond as the recorded products do, except for the listed differences', () => {
    const unlisted = compared.flatMap(({ comparisons }) =>
      comparisons.flatMap(({ found }) =>
        found
          .filter(({ dialect }) => dialect === undefined)
          .map(({ difference: { product, step, request, what } }) =>
            [product, step, request, what].join(' | '),
          ),
      ),
    );
    expect(unlisted, 'differences that test/conformance/raw/dialects.ts does not list').toEqual([]);
  });

  test('report errors in the words of the recorded products, except for the listed ones', () => {
    for (const { name, recording, embedded } of compared)
      expect(differentErrors(recording.responses, embedded), name).toEqual(listedErrors(name));
  });

  test('every listed difference is needed', () => {
    const used = new Set<Dialect | undefined>(
      compared.flatMap(({ comparisons }) =>
        comparisons.flatMap(({ found }) => found.map(({ dialect }) => dialect)),
      ),
    );
    const unused = rawDialects
      .filter((dialect) => !used.has(dialect))
      .map(({ product, text }) => `${product}: ${text}`);
    expect(unused, 'entries of test/conformance/raw/dialects.ts that no recording needs').toEqual([]);
    for (const dialect of rawDialects) expect(dialects).not.toContain(dialect);
  });

  test('agree with each product in most of the requests without a listed dialect', () => {
    for (const { name, comparisons } of compared)
      expect(shareOf(agreementOf(comparisons)), name).toBeGreaterThanOrEqual(leastShare);
  });

  test('agree as test/conformance/raw/agreement.json says', () => {
    const found = Object.fromEntries(
      compared.map(({ name, comparisons }) => [name, agreementOf(comparisons)]),
    );
    expect(
      found,
      'run "npm run conformance:raw -- --update && npm run generate" if the change is wanted',
    ).toEqual(readAgreements());
  });
});
