import { bad, dim, good, listTable, strong, text, warn } from '../../../../output/document.ts';
import { isAccepted, needsPassphrase } from './cause.ts';
import type { CheckResult } from './diagnose.ts';
import type { Facts } from './facts.ts';

/** The result of the command: all checks, and the first failed one. @param repeatFlags of the context. */
export async function doctorResult(
  facts: Facts,
  found: readonly CheckResult[],
  repeatFlags: (hint: string) => Promise<string>,
) {
  const checks = await Promise.all(
    found.map(async (check) => ({ ...check, advice: check.advice && (await repeatFlags(check.advice)) })),
  );
  const first = checks.find(({ result }) => result === 'failed');
  const { target, method } = facts;
  return {
    data: {
      /** Name or address that ssh connects to. */
      host: target.host,
      port: target.port,
      user: target.user,
      /** How it logs in: `ssh` as ssh does, `ca` or `otp` as `ssh connect` does. */
      method,
      /** `unknown`: no login was tried, or it did not get that far. */
      login: loginState(facts),
      /** The stable name of the first cause; null: none was found. */
      cause: first?.cause ?? null,
      /** What to do about it. */
      advice: first?.advice ?? null,
      checks,
    },
    rows: checks,
    document: [
      listTable(checks, undefined, {
        CHECK: ({ check }) => check,
        RESULT: ({ result, likely }) =>
          result === 'ok'
            ? good(result)
            : result === 'failed'
              ? likely
                ? warn('likely')
                : bad(result)
              : dim(result),
        DETAIL: { mayOverflow: true, cell: ({ message }) => message },
      }),
      ...(first === undefined
        ? [text(isAccepted(facts) ? 'The host accepts the login.' : 'No cause was found.')]
        : [
            text(strong(`${causeTitle(first)}: `), `${first.message} (${first.cause}).`),
            text(strong('To do: '), first.advice ?? ''),
          ]),
    ],
    exitCode: first === undefined ? 0 : 1,
  };
}

function loginState(facts: Facts): 'accepted' | 'rejected' | 'unknown' {
  if (isAccepted(facts)) return 'accepted';
  if (needsPassphrase(facts) && !facts.target.isBatch) return 'unknown';
  const isDenied = facts.client?.isDenied === true || facts.client?.hasTooManyFailures === true;
  return isDenied || (facts.client === undefined && facts.server !== undefined) ? 'rejected' : 'unknown';
}

const causeTitle = ({ cause, likely }: CheckResult): string =>
  cause === 'unknown' ? 'Cause not found' : likely ? 'Likely cause' : 'Cause';
