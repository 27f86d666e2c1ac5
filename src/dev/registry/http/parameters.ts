import { parseDuration } from '../../../wire/duration.ts';
import type { Fields } from '../../http/fields.ts';
import { HttpRefusal, type HttpRequest } from '../../http/service.ts';

/** How a read is to be answered. */
export interface ReadParameters {
  /** Wait until the index is beyond this one; 0: do not wait. */
  readonly index: number;
  /** Milliseconds to wait at the most. */
  readonly wait: number;
  readonly consistency: 'leader' | 'stale' | 'consistent';
}

const defaultWait = 300;
const longestWait = 600;

/** @throws HttpRefusal 400 (docs/protocol/registry.md#requests-and-responses) */
export function readParameters({ query }: HttpRequest): ReadParameters {
  const stale = query.has('stale');
  const consistent = query.has('consistent');
  if (stale && consistent) {
    throw new HttpRefusal(400, 'Cannot specify ?stale with ?consistent, conflicting semantics.');
  }
  const seconds = durationOf(query.get('wait'));
  return {
    index: indexOf(query.get('index')),
    wait: Math.min(seconds === 0 ? defaultWait : seconds, longestWait) * 1000,
    consistency: stale ? 'stale' : consistent ? 'consistent' : 'leader',
  };
}

function durationOf(text: string | null): number {
  if (text === null || text === '') return 0;
  const seconds = /[a-zµ]$/.test(text) ? parseDuration(text) : undefined;
  if (seconds === undefined || seconds < 0) throw new HttpRefusal(400, 'Invalid wait time');
  return seconds;
}

function indexOf(text: string | null): number {
  if (text === null || text === '') return 0;
  if (!/^\d{1,20}$/.test(text)) throw new HttpRefusal(400, 'Invalid index');
  return Number(text);
}

const partitions = (): HttpRefusal =>
  new HttpRefusal(400, 'Invalid query parameter: "partition" - Partitions are a Consul Enterprise feature');

/**
 * What holds for what a body describes: it is in the one namespace and partition that there are.
 * @throws HttpRefusal 400; FieldError they are no texts
 */
export function checkPlace(fields: Fields): void {
  const isElsewhere = (member: string): boolean =>
    !['', 'default'].includes(fields.text(member).toLowerCase());
  if (isElsewhere('Namespace')) throw namespaces('ns');
  if (isElsewhere('Partition')) throw partitions();
}

/**
 * What holds for every request: no namespaces.
 * @throws HttpRefusal 400
 */
export function checkCommon(request: HttpRequest): void {
  if (request.query.has('ns') || request.prefixed('namespace') !== undefined) throw namespaces('ns');
  if (request.query.has('partition') || request.prefixed('partition') !== undefined) {
    throw partitions();
  }
}

function namespaces(name: string): HttpRefusal {
  return new HttpRefusal(
    400,
    `Invalid query parameter: "${name}" - Namespaces are a Consul Enterprise feature`,
  );
}

/** A query parameter that is an unsigned integer of 64 bits; undefined: it is not there. @throws HttpRefusal 400 */
export function unsignedOf({ query }: HttpRequest, name: string): number | bigint | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = /^\d{1,20}$/.test(text) ? BigInt(text) : -1n;
  if (value < 0n || value >= 2n ** 64n) throw new HttpRefusal(400, `Invalid ${name}: "${text}"`);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
