import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { formatJson, type Json, parseJson } from '../../src/wire/json.ts';
import type { ServiceName } from '../../src/wire/services.ts';
import { type Shape, shapeOf } from './shape.ts';

/** One request and its response, with secrets redacted and IDs and times made the same for every run. */
export interface Exchange {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Media type and shape of the request's body; absent: it had none. */
  readonly request?: { readonly type: string; readonly shape: Shape };
  readonly status: number;
  /** The media type, without parameters; empty: there was none. */
  readonly type: string;
  /** The response headers that a client may read, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, where the body is JSON whatever its media type; else text. Absent: empty. */
  readonly json?: Json;
  readonly text?: string;
}

export interface RecordedStep {
  readonly name: string;
  /** The exit code. */
  readonly code: number;
  readonly exchanges: readonly Exchange[];
}

/** What one product sent while the scenario was run against it. */
export interface Recording {
  readonly service: ServiceName;
  readonly product: string;
  readonly version: string;
  /** When the run began, to the minute (ISO 8601); times in responses are relative to it. */
  readonly at: string;
  /** What stands for the token of the identity `admin`. */
  readonly token: string;
  readonly steps: readonly RecordedStep[];
}

/**
 * Is the request a look at a lock that is held? It is sent while the command runs: if, and how often, is a matter of
 * time, so recordings do not have it.
 */
export const isWatch = ({ method, path }: Pick<Exchange, 'method' | 'path'>): boolean =>
  method === 'GET' && /^\/v1\/kv\/[^?]*\?(?:.*&)?wait=\d+ms(?:&|$)/.test(path);

/** The shape of a response's body. */
export const bodyShape = ({ json, text }: Pick<Exchange, 'json' | 'text'>): Shape =>
  json !== undefined ? shapeOf(json) : text === undefined ? 'none' : 'text';

const folder = join(import.meta.dirname, 'recordings');

/** The folder of a recording, `openbao-2.6.2`. */
export const nameOf = ({ product, version }: Pick<Recording, 'product' | 'version'>): string =>
  `${product}-${version}`;

/** Every recording of the scenario, sorted by product. */
export function recordings(): readonly Recording[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => readdirSync(join(folder, entry.name)).map((file) => join(folder, entry.name, file)))
    .filter((file) => !basename(file).startsWith('raw-'))
    .sort()
    .map((file) => parseJson(readFileSync(file, 'utf8')) as unknown as Recording);
}

/** The text of a recording's file: one line for each exchange, so that changes can be read. */
export function textOf({ steps, ...head }: Recording): string {
  const lines = steps.map(({ name, code, exchanges }) => {
    const inner = exchanges.map((exchange) => `\n    ${formatJson(exchange)}`).join(',');
    return `  {"name":${JSON.stringify(name)},"code":${code},"exchanges":[${inner}${inner === '' ? '' : '\n  '}]}`;
  });
  return `${JSON.stringify(head).slice(0, -1)},"steps":[\n${lines.join(',\n')}\n]}\n`;
}
