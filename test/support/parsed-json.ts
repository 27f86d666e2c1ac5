import type { Json } from '../../src/wire/json.ts';

/** The value of a text in JSON, as JSON.parse has it; undefined: it is none. */
export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
