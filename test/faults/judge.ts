import type { Step } from '../conformance/step.ts';
import type { Ran } from '../support/run.ts';
import { type Class, type Row, rejections } from './classes.ts';
import type { Fault } from './faults.ts';
import { isWrite, type Passed } from './proxy.ts';

export interface Trial {
  readonly step: Step;
  readonly row: Row;
  readonly fault:
    | Pick<Fault, 'class' | 'status' | 'plausible'>
    | { readonly class: 'unreached' | 'sent'; readonly status?: undefined; readonly plausible?: undefined };
  readonly ran: Ran;
  readonly passed: readonly Passed[];
  /** What no output may contain. */
  readonly secrets: readonly string[];
}

/** Does a fault of the class leave open what became of a write? */
const isOpen = (type: Class): boolean => !['unreached', 'rejected', 'harmless'].includes(type);

/** What is wrong with a run; empty: nothing. */
export function judge({ step, row, fault, ran, passed, secrets }: Trial): string[] {
  const wrong: string[] = [];
  const faulty = passed.filter((request) => request.faulty);
  const written = faulty.filter(isWrite);
  const isOnce = row.kind === 'write';
  const isUnknown = isOnce && written.length > 0 && isOpen(fault.class);

  const allowed = codesOf({ step, row, fault }, isUnknown, written.length > 0);
  const isText = fault.plausible && row.kind === 'read' && ran.code === 0;
  if (!isText && !allowed.includes(ran.code))
    wrong.push(`exit code ${ran.code}, not ${allowed.join(' or ')}`);

  const shown = ran.code === 0 ? ran.stderr : ran.stdout + ran.stderr;
  if (secrets.some((secret) => shown.includes(secret))) wrong.push('a secret in its output');

  if (isOnce) {
    // A read through a standby is unwrapped: each with another token, in a header.
    const isUnwrapped = ({ url = '' }: Passed): boolean =>
      url.endsWith('/sys/wrapping/unwrap') && step.command !== 'secrets unwrap';
    const writes = passed.filter((request) => isWrite(request) && !isUnwrapped(request));
    const texts = writes.map(({ method, url, body }) => `${method} ${url} ${body}`);
    const twice = texts.find((text, index) => texts.indexOf(text) !== index);
    // Services count a request before they process it.
    const mayRepeat = fault.class === 'harmless' || fault.status === 429;
    if (twice !== undefined && !mayRepeat) wrong.push(`sent twice: ${twice.split(' ', 2).join(' ')}`);
  }
  const last = passed.findLastIndex((request) => request.faulty && isWrite(request));
  const isReadBack = passed.slice(last + 1).some((request) => !isWrite(request));
  if (isUnknown && (ran.code === 0 || ran.code === 7) && !fault.plausible && !isReadBack)
    wrong.push(`exit code ${ran.code}, and nothing was read back`);
  if (ran.code !== 0 && step.text !== true && !isJson(ran.stdout)) {
    const error = errorIn(ran.stderr);
    if (typeof error?.retryable !== 'boolean') wrong.push('no single JSON object on standard error');
    else if (isUnknown && error.retryable && !(row.readsBack && isReadBack))
      wrong.push('retryable, although it may have taken effect');
  }
  return wrong;
}

function codesOf(
  { step, row, fault }: Pick<Trial, 'step' | 'row' | 'fault'>,
  isUnknown: boolean,
  isWritten: boolean,
): readonly number[] {
  if (fault.class === 'rejected' && row.codes.rejected.length === 0) {
    // The box registry confirms the token afterwards: the permission is missing.
    if (fault.status === 401 && step.service === 'box') return [4, 5];
    return [...(rejections[fault.status ?? 0] ?? []), ...(fault.status === 404 ? (row.absent ?? []) : [])];
  }
  if (row.kind !== 'write' || isUnknown) return row.codes[fault.class];
  if (isWritten || !isOpen(fault.class) || fault.class === 'sent') return row.codes[fault.class];
  // A read before the write failed. What has an end of its own for that has the same where nothing is reached.
  return [1, 3, 4, 5, 7, 8, ...row.codes.unreached];
}

function errorIn(text: string): { readonly retryable?: unknown } | undefined {
  // Notes of attempts may come before it.
  const start = text.search(/^\{/m);
  try {
    return JSON.parse(text.slice(start)).error;
  } catch {
    return undefined;
  }
}

/** A report, on standard output. */
function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
