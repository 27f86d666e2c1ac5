import { expect } from 'vitest';
import type { Call, Reply } from './support.ts';

type Ask = (method: string, path: string, more?: Call) => Promise<Reply>;

/**
 * Sends requests with these headers; returns status and text of the response as `404 Not found`, or one of the two with
 * `status` and `text`.
 */
export const callerOf = (ask: Ask) => (headers: Record<string, string>) => {
  const status = async (method: string, path: string, body?: unknown) =>
    (await ask(method, path, { body, headers })).status;
  const text = async (method: string, path: string, body?: unknown) =>
    (await ask(method, path, { body, headers })).text;
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await ask(method, path, { body, headers });
    return reply.text === '' ? `${reply.status}` : `${reply.status} ${reply.text}`;
  };
  return Object.assign(send, { status, text });
};

export type Caller = ReturnType<ReturnType<typeof callerOf>>;

/** Sends requests with all permissions; any response but 200 fails the test. */
export const managerOf = (ask: Ask, headers: Record<string, string>) => {
  return async (method: string, path: string, body?: unknown) => {
    const { status, text, json } = await ask(method, path, { body, headers });
    expect(status, text).toBe(200);
    return json ?? {};
  };
};

/** A response with this status and text, or with a text that matches. */
export const responseWith = (status: number, text: string | RegExp) => {
  if (typeof text === 'string') return text === '' ? `${status}` : `${status} ${text}`;
  const source = text.source.startsWith('^') ? text.source.slice(1) : `.*${text.source}`;
  return expect.stringMatching(new RegExp(`^${status} ${source}`, 's'));
};

/** A response with this status, and with this in its text. */
export const responseContaining = (status: number, text: string) =>
  responseWith(status, new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
