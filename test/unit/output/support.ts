import { expect } from 'vitest';
import type { Document } from '../../../src/output/document.ts';
import { type RenderOptions, render } from '../../../src/output/render.ts';
import type { Result } from '../../../src/output/result.ts';

/** Bytes that are the same in every test. */
const random = (length: number): Uint8Array => new Uint8Array(length).fill(7);

const usual: RenderOptions = { format: 'text', terminal: false, color: false, width: 80, random };

/** Renders a document, in a pipe without colour unless the options say otherwise. */
export async function shown(document: Document, options: Partial<RenderOptions> = {}): Promise<string> {
  return String(await render({ data: null, document }, { ...usual, ...options }));
}

/** Renders an answer that is data only. */
export async function rendered(
  answer: Omit<Result, 'document'>,
  options: Partial<RenderOptions> = {},
): Promise<string> {
  return String(await render({ ...answer, document: [] }, { ...usual, ...options }));
}

/** Expects a failure of a kind, and gives its message and details as one text. */
export async function failure(work: Promise<unknown>, kind: string): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'LanyardError', kind });
  const { message, details } = error as { message: string; details: readonly string[] };
  return [message, ...details].join('\n');
}
