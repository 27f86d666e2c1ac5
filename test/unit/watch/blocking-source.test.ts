import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/api/service-error.ts';
import { isNotFound, LanyardError } from '../../../src/errors.ts';
import { blockingSource } from '../../../src/watch/blocking-source.ts';

const { signal } = new AbortController();
const response = (body: string | null, index?: string) => ({
  status: 200,
  headers: index === undefined ? {} : { 'x-consul-index': index },
  body,
});
const value = (body: string | null): string | undefined => body ?? undefined;

/** A source whose reads end with `result`, and the parameters that they were sent with. */
function sourceOf(result: ReturnType<typeof response> | Error, more: object = {}) {
  const sent: object[] = [];
  const source = blockingSource({
    read: async (parameters) => {
      sent.push(parameters);
      if (result instanceof Error) throw result;
      return result;
    },
    value,
    isAbsent: isNotFound,
    ...more,
  });
  return { source, sent };
}

const missing = (headers: Readonly<Record<string, string>>) =>
  new ServiceError('not_found', 'not found', { status: 404 }, { body: undefined, headers });

describe('blocking source', () => {
  test('the first read has no parameters, a later one waits for the next index', async () => {
    const { source, sent } = sourceOf(response('a', '5'));
    expect(await source.read(undefined, signal)).toEqual({ value: 'a', index: '5' });
    await source.read({ index: '5', waitSeconds: 60 }, signal);
    expect(sent).toEqual([{}, { index: '5', wait: '60s' }]);
  });

  test('a response without an index has none', async () => {
    const { source } = sourceOf(response('a'));
    expect(await source.read(undefined, signal)).toEqual({ value: 'a', index: undefined });
  });

  test('a body without the object is an absent object', async () => {
    const { source } = sourceOf(response(null, '5'));
    expect(await source.read(undefined, signal)).toEqual({ value: undefined, index: '5' });
  });

  test('an error for a missing object is an absent object with the index of the response', async () => {
    const { source } = sourceOf(missing({ 'x-consul-index': '7' }));
    expect(await source.read(undefined, signal)).toEqual({ value: undefined, index: '7' });
  });

  test('an error without an index has none', async () => {
    const withHeaders = sourceOf(missing({}));
    expect(await withHeaders.source.read(undefined, signal)).toEqual({ value: undefined, index: undefined });
    const { source } = sourceOf(new LanyardError('not_found', 'not found'));
    expect(await source.read(undefined, signal)).toEqual({ value: undefined, index: undefined });
  });

  test('an error that is not a LanyardError has no index', async () => {
    const error = Object.assign(new Error('not found'), { index: '7' });
    const { source } = sourceOf(error, { isAbsent: () => true });
    expect(await source.read(undefined, signal)).toEqual({ value: undefined, index: undefined });
  });

  test('any other error is thrown', async () => {
    const error = new LanyardError('forbidden', 'permission denied', { status: 403 });
    const { source } = sourceOf(error);
    await expect(source.read(undefined, signal)).rejects.toBe(error);
  });

  test('a state is confirmed with the consistent read', async () => {
    const { source, sent } = sourceOf(response('a', '5'), {
      readConsistently: async () => response('b', '6'),
    });
    expect(await source.confirm?.(signal)).toEqual({ value: 'b', index: '6' });
    expect(sent).toEqual([]);
  });

  test('without one, the same read is sent without parameters', async () => {
    const { source, sent } = sourceOf(response('a', '5'));
    expect(await source.confirm?.(signal)).toEqual({ value: 'a', index: '5' });
    expect(sent).toEqual([{}]);
  });

  test('the other functions are the ones of the source', () => {
    const isEmpty = (): boolean => true;
    const comparable = (text: string): string => text;
    const { source } = sourceOf(response('a'), { isEmpty, comparable });
    expect(source).toMatchObject({ isEmpty, comparable });
  });
});
