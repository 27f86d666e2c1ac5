import type { ServiceResponse } from '../api/http/response.ts';
import type { Blocking } from '../api/operation-builders.ts';
import { LanyardError } from '../errors.ts';
import { stateIndexOf } from '../wire/state-index.ts';
import type { Reading, Source } from './watch.ts';

interface BlockingRead<Body, Value> {
  /** Sends the read; the parameters make it a blocking query. */
  readonly read: (parameters: Blocking) => Promise<ServiceResponse<Body>>;
  /** As `read`, consistent. Default: the same read, which is sent a second time. */
  readonly readConsistently?: () => Promise<ServiceResponse<Body>>;
  /** The state in a response; undefined: the object does not exist. */
  readonly value: (body: Body) => Value | undefined;
  /** Whether an error means that the object does not exist. */
  readonly isAbsent: (error: unknown) => boolean;
  readonly isEmpty?: (value: Value | undefined) => boolean;
  readonly comparable?: (value: Value) => unknown;
}

/** A source that is read with blocking queries. */
export function blockingSource<Body, Value>({
  read,
  readConsistently = () => read({}),
  value,
  isAbsent,
  ...rest
}: BlockingRead<Body, Value>): Source<Value> {
  const readingOf = async (sent: Promise<ServiceResponse<Body>>): Promise<Reading<Value>> => {
    try {
      const { body, headers } = await sent;
      return { value: value(body), index: stateIndexOf(headers) };
    } catch (error) {
      if (!isAbsent(error)) throw error;
      return { value: undefined, index: indexOfError(error) };
    }
  };
  return {
    read: (after) =>
      readingOf(read(after === undefined ? {} : { index: after.index, wait: `${after.waitSeconds}s` })),
    confirm: () => readingOf(readConsistently()),
    ...rest,
  };
}

/** The index in an error of a service. */
const indexOfError = (error: unknown): string | undefined =>
  error instanceof LanyardError && 'index' in error ? (error.index as string | undefined) : undefined;
