import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { boxOperations } from '../../../src/api/box.ts';
import { checked } from '../../../src/api/decode.ts';
import type { Body } from '../../../src/api/operation.ts';

const decode = checked(
  v.looseObject({ token: v.string(), of: v.optional(v.looseObject({ id: v.number() })) }),
);

describe('an answer that is not as it should be', () => {
  test.for([
    [{ token: 12345 }, 'token: expected string, and it is a number'],
    [{ token: null }, 'token: expected string, and it is null'],
    [{ token: ['s3cret'] }, 'token: expected string, and it is an array'],
    [{ token: 'a', of: { id: 's3cret' } }, 'of.id: expected number, and it is a string'],
    [{ token: {} }, 'token: expected string, and it is an object'],
    [{}, 'token: it is missing'],
    ['s3cret', 'the body: expected Object, and it is a string'],
    [undefined, 'the body: it is missing'],
  ] as readonly [Body, string][])('%j is told of without its values', ([body, message]) => {
    expect(() => decode(body)).toThrow(message);
  });

  test('an upload address that is none is as secret as one that is', () => {
    expect(() => boxOperations.prepareUpload.decode({ upload_path: '/upload/s3cret' })).toThrow(
      'upload_path: expected url, and it is a string that is none',
    );
  });
});
