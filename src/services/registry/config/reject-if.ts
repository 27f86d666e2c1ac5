import { HttpError } from '../../core/http/http-service.ts';
import { readNanoseconds } from './duration.ts';
import { multiError } from './multi-error.ts';

/** Rejects an entry that violates a rule of its kind. */
export function rejectIf(isViolated: unknown, message: string): void {
  if (isViolated) throw new HttpError(500, message);
}

/** Rejects a negative duration. @param label e.g. `Bad RequestTimeout` */
export const rejectNegative = (label: string, duration = ''): void =>
  rejectIf((readNanoseconds(duration) ?? 0) < 0, `${label} '${duration}', must be >= 0`);

/** Rejects an entry that violates rules of its kind, all of which are named. */
export function rejectAll(messages: readonly string[]): void {
  const message = multiError(messages);
  if (message !== undefined) throw new HttpError(500, message);
}

const maxPairs = 64;
const maxKeyBytes = 128;
const maxValueBytes = 512;

/** Why the metadata of an entry is invalid. */
export function metaErrors(meta: { readonly [key: string]: string } = {}): string[] {
  const pairs = Object.entries(meta);
  return [
    ...(pairs.length > maxPairs ? [`Meta exceeds maximum element count ${maxPairs}`] : []),
    ...pairs.flatMap(([key, value]) => [
      ...(Buffer.byteLength(key) > maxKeyBytes
        ? [`Meta key ${JSON.stringify(key)} exceeds maximum length ${maxKeyBytes}`]
        : []),
      ...(Buffer.byteLength(value) > maxValueBytes
        ? [`Meta value for key ${JSON.stringify(key)} exceeds maximum length ${maxValueBytes}`]
        : []),
    ]),
  ];
}
