import { parseDuration } from '../../wire/duration.ts';
import type { Fields } from '../core/http/fields.ts';
import { HttpError, type HttpRequest } from '../core/http/http-service.ts';

/** How a read is to be answered. */
export interface ReadParameters {
  /** Wait until the index is beyond this one; 0: do not wait. */
  readonly index: number;
  /** Milliseconds to wait at the most. */
  readonly waitMs: number;
  readonly consistency: 'leader' | 'stale' | 'consistent';
}

const defaultWaitSeconds = 300;
const maxWaitSeconds = 600;

/** @throws HttpError 400 (docs/protocol/registry.md#requests-and-responses) */
export function readParameters({ query }: HttpRequest): ReadParameters {
  const stale = query.has('stale');
  const consistent = query.has('consistent');
  if (stale && consistent) {
    throw new HttpError(400, 'Cannot specify ?stale with ?consistent, conflicting semantics.');
  }
  const seconds = parseWait(query.get('wait'));
  return {
    index: parseIndex(query.get('index')),
    waitMs: Math.min(seconds === 0 ? defaultWaitSeconds : seconds, maxWaitSeconds) * 1000,
    consistency: stale ? 'stale' : consistent ? 'consistent' : 'leader',
  };
}

function parseWait(text: string | null): number {
  if (text === null || text === '') return 0;
  const seconds = /[a-zµ]$/.test(text) ? parseDuration(text) : undefined;
  if (seconds === undefined || seconds < 0) throw new HttpError(400, 'Invalid wait time');
  return seconds;
}

function parseIndex(text: string | null): number {
  if (text === null || text === '') return 0;
  if (!/^\d{1,20}$/.test(text)) throw new HttpError(400, 'Invalid index');
  return Number(text);
}

const partitionsUnsupported = (): HttpError =>
  new HttpError(400, 'Invalid query parameter: "partition" - Partitions are a Consul Enterprise feature');

/**
 * What holds for what a body describes: it is in the one namespace and partition that there are.
 * @throws HttpError 400; FieldError they are no texts
 */
export function checkTenancy(fields: Fields): void {
  const isOther = (field: string): boolean => !['', 'default'].includes(fields.string(field).toLowerCase());
  if (isOther('Namespace')) throw namespacesUnsupported('ns');
  if (isOther('Partition')) throw partitionsUnsupported();
}

/**
 * What holds for every request: no namespaces.
 * @throws HttpError 400
 */
export function checkRequestTenancy(request: HttpRequest): void {
  if (request.query.has('ns') || request.serviceHeader('namespace') !== undefined)
    throw namespacesUnsupported('ns');
  if (request.query.has('partition') || request.serviceHeader('partition') !== undefined) {
    throw partitionsUnsupported();
  }
}

function namespacesUnsupported(name: string): HttpError {
  return new HttpError(
    400,
    `Invalid query parameter: "${name}" - Namespaces are a Consul Enterprise feature`,
  );
}

/** A query parameter that is an unsigned integer of 64 bits; undefined: it is not there. @throws HttpError 400 */
export function unsignedParameter({ query }: HttpRequest, name: string): number | bigint | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = /^\d{1,20}$/.test(text) ? BigInt(text) : -1n;
  if (value < 0n || value >= 2n ** 64n) throw new HttpError(400, `Invalid ${name}: "${text}"`);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
