import { expect } from 'vitest';
import type { Call, Reply } from './support.ts';

type Ask = (method: string, path: string, more?: Call) => Promise<Reply>;

/** Sends requests with these headers; returns the status and text of the response. */
export const callerOf = (ask: Ask) => (headers: Record<string, string>) => {
  return async (method: string, path: string, body?: unknown) => {
    const { status, text } = await ask(method, path, { body, headers });
    return [status, text];
  };
};

/** Sends requests with all permissions; any response but 200 fails the test. */
export const managerOf = (ask: Ask, headers: Record<string, string>) => {
  return async (method: string, path: string, body?: unknown) => {
    const { status, text, json } = await ask(method, path, { body, headers });
    expect(status, text).toBe(200);
    return json ?? {};
  };
};
