import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  generatedPasswordCost,
  hashPassword,
  passwordMatches,
} from '../../../../src/services/core/password.ts';

test('a password matches its own hash only, at either cost', async () => {
  for (const cost of [undefined, generatedPasswordCost]) {
    const hash = await hashPassword('correct horse', randomBytes, cost);
    expect(await passwordMatches('correct horse', hash)).toBe(true);
    expect(await passwordMatches('Correct horse', hash)).toBe(false);
    expect(await passwordMatches('', hash)).toBe(false);
    const other = await hashPassword('correct horse', randomBytes, cost);
    expect(await passwordMatches('correct horse', { ...hash, salt: other.salt })).toBe(false);
    expect(other.hash).not.toBe(hash.hash);
  }
});

test('no password matches an account without one', async () => {
  expect(await passwordMatches('', null)).toBe(false);
  expect(await passwordMatches('correct horse', undefined)).toBe(false);
});

test('a hash has a random salt of 16 bytes, a hash of 32 bytes and its cost', async () => {
  const salt = new Uint8Array(16).fill(7);
  const { hash, ...rest } = await hashPassword('correct horse', () => salt, generatedPasswordCost);
  expect(rest).toEqual({ salt: Buffer.from(salt).toString('base64'), cost: 1024 });
  expect(Buffer.from(hash, 'base64')).toHaveLength(32);
  expect((await hashPassword('correct horse', randomBytes)).cost).toBe(32_768);
  // scrypt with the salt at this cost.
  expect(hash).toBe('5n0F+OGSL7BhAACOZ6iloVBFWRCRMRiurp3RdQxE68A=');
});

test('a password is the same in composed and decomposed form', async () => {
  const hash = await hashPassword('caf\u00e9', randomBytes, generatedPasswordCost);
  expect(await passwordMatches('cafe\u0301', hash)).toBe(true);
  expect(await passwordMatches('cafe', hash)).toBe(false);
});

test('passwords beyond those running and queued are rejected with status 429', async () => {
  const hash = await hashPassword('correct horse', randomBytes, generatedPasswordCost);
  const checks = Array.from({ length: 70 }, () => passwordMatches('x', hash));
  const results = await Promise.allSettled(checks);
  const rejected = results.filter((each) => each.status === 'rejected');
  // Two run concurrently, and 64 wait.
  expect(rejected).toHaveLength(4);
  expect(rejected[0]?.reason).toMatchObject({
    status: 429,
    message: 'Too many passwords are being checked; try again later.',
  });
});
