import { expect } from 'vitest';
import type { Call, Reply } from './support.ts';

type Ask = (method: string, path: string, more?: Call) => Promise<Reply>;

/** Whoever asks with these headers: the status and the text of what it is answered. */
export const callerOf = (ask: Ask) => (headers: Record<string, string>) => {
  return async (method: string, path: string, body?: unknown) => {
    const { status, text } = await ask(method, path, { body, headers });
    return [status, text];
  };
};

/** Who may do everything: an answer that is not 200 fails the test. */
export const managerOf = (ask: Ask, headers: Record<string, string>) => {
  return async (method: string, path: string, body?: unknown) => {
    const { status, text, json } = await ask(method, path, { body, headers });
    expect(status, text).toBe(200);
    return json ?? {};
  };
};
