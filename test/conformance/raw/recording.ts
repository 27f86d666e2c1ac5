import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatJson, type Json } from '../../../src/wire/json.ts';
import type { ServiceName } from '../../../src/wire/services.ts';
import { bodyShape, type Exchange } from '../recording.ts';
import type { Shape } from '../shape.ts';
import type { RawRequest } from './request.ts';

/** The response to one request of a list. */
export interface RawResponse {
  readonly name: string;
  /** Changes with the request: a recorded response belongs to one text of the request only. */
  readonly of: string;
  readonly status: number;
  /** The media type, without parameters; empty: there was none. */
  readonly type: string;
  /** The body, where it is short JSON. */
  readonly json?: Json;
  /** The begin of another body. */
  readonly text?: string;
  /** The shape of a body of longer JSON. */
  readonly shape?: Shape;
}

/** What one product sent to the requests of a list. */
export interface RawRecording {
  readonly service: ServiceName;
  readonly product: string;
  readonly version: string;
  /** When the requests were sent, to the minute (ISO 8601). */
  readonly at: string;
  readonly responses: readonly RawResponse[];
}

const longestJson = 400;
const longestText = 200;

/** What a recording keeps of a response. */
export function rowOf(request: RawRequest, { status, type, json, text }: Exchange): RawResponse {
  const head = { name: request.name, of: digestOf(request), status, type };
  if (json !== undefined)
    return formatJson(json).length > longestJson
      ? { ...head, shape: bodyShape({ json }) }
      : { ...head, json };
  return text === undefined ? head : { ...head, text: text.slice(0, longestText) };
}

/** Identifies the text of a request. */
export const digestOf = (request: RawRequest): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 12);

/** The shape of a recorded body. */
export const shapeOfResponse = ({ json, text, shape }: RawResponse): Shape =>
  shape ?? bodyShape({ ...(json === undefined ? {} : { json }), ...(text === undefined ? {} : { text }) });

const folder = join(import.meta.dirname, '..', 'recordings');

/** Every recording of raw requests, sorted by product. */
export function rawRecordings(): readonly RawRecording[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /[\\/]raw-\w+\.json$/.test(file))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as RawRecording);
}

/** The text of a recording's file: one line for each response, so that changes can be read. */
export function textOfRaw({ responses, ...head }: RawRecording): string {
  const lines = responses.map((response) => `  ${formatJson(response)}`);
  return `${JSON.stringify(head).slice(0, -1)},"responses":[\n${lines.join(',\n')}\n]}\n`;
}
