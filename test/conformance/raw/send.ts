import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from '../../../src/wire/json.ts';
import type { ServiceName } from '../../../src/wire/services.ts';
import { parsedJson } from '../../support/parsed-json.ts';
import type { RawExchange } from '../recorder.ts';
import type { Exchange } from '../recording.ts';
import { cleanerOf, normalised } from '../redact.ts';
import { recordedRun } from '../run.ts';
import { bytesOf } from '../server.ts';
import { type RawResponse, rowOf } from './recording.ts';
import type { RawRequest, RequestList } from './request.ts';

export interface SendOptions {
  readonly address: string;
  /** The token of the identity `root`. */
  readonly token: string;
  /** The prefix of all names; default: that of recordings. */
  readonly run?: string;
  /** Wait before requests that need it. */
  readonly settles?: boolean;
  readonly onResponse?: (request: RawRequest, status: number, body: string) => void;
}

/** Headers that carry a token. */
const tokenHeaders: Readonly<Record<ServiceName, (token: string) => Record<string, string>>> = {
  secrets: (token) => ({ 'X-Vault-Token': token }),
  registry: (token) => ({ 'X-Consul-Token': token }),
  scheduler: (token) => ({ 'X-Nomad-Token': token }),
  box: (token) => ({ Authorization: `Bearer ${token}` }),
  accounts: (token) => ({ Authorization: `Bearer ${token}` }),
};

/** A token that no service has, in the form that the product's tokens have. */
const badToken: Readonly<Record<ServiceName, string>> = {
  secrets: 's.doesnotexistdoesnotexist',
  registry: '00000000-0000-4000-8000-00000000dead',
  scheduler: '00000000-0000-4000-8000-00000000dead',
  box: 'doesnotexist',
  accounts: 'at_0000000000_s1doesnotexist',
};

const settleMs = 1500;

/**
 * Sends a list of requests, one after the other, and returns the responses without secrets. What the run made is
 * removed at the end, also after a failure.
 *
 * @throws Error the connection failed
 */
export async function sendAll(
  { service, requests }: RequestList,
  options: SendOptions,
): Promise<readonly RawResponse[]> {
  const run = options.run ?? recordedRun;
  const start = new Date();
  const values = new Map([['run', run]]);
  const exchanges: RawExchange[] = [];
  const exchange = async (request: RawRequest): Promise<void> => {
    if (request.settles && options.settles) await delay(settleMs);
    const sent = await sendOne(service, request, values, options);
    const parsed = parsedJson(sent.body);
    for (const [name, path] of Object.entries(request.save ?? {})) {
      const value = path.startsWith('header:') ? sent.headers[path.slice(7)] : textAt(parsed, path);
      if (value === undefined) values.delete(name);
      else values.set(name, value);
    }
    options.onResponse?.(request, sent.status, sent.body);
    if (!request.isCleanup) exchanges.push({ ...sent, body: reduced(sent.body, request, run) });
  };
  try {
    for (const request of requests.filter(({ isCleanup }) => !isCleanup)) await exchange(request);
  } finally {
    for (const request of requests.filter(({ isCleanup }) => isCleanup)) await exchange(request);
  }
  const facts = { run, secrets: [options.token], start, addresses: [options.address] };
  const kept = normalised(exchanges, cleanerOf(exchanges, facts));
  const recorded = requests.filter(({ isCleanup }) => !isCleanup);
  return recorded.map((request, index) => rowOf(request, kept[index] as Exchange));
}

async function sendOne(
  service: ServiceName,
  request: RawRequest,
  values: ReadonlyMap<string, string>,
  { address, token }: SendOptions,
): Promise<RawExchange> {
  const fill = (text: string): string =>
    text.replace(/\{([a-z][a-zA-Z]*)\}/g, (_all, name: string) => values.get(name) ?? `unset-${name}`);
  const { as = 'root', headers: more = {}, name, method } = request;
  const tokens: Readonly<Record<string, string | undefined>> = {
    root: token,
    bad: badToken[service],
    limited: fill('{limited}'),
  };
  const requestBody =
    request.body === undefined
      ? ''
      : fill(typeof request.body === 'string' ? request.body : JSON.stringify(request.body));
  const headers: Record<string, string> = {
    ...(requestBody === ''
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(requestBody)) }),
    ...(as === 'none' ? {} : tokenHeaders[service](tokens[as] ?? fill(as))),
    ...Object.fromEntries(Object.entries(more).map(([header, text]) => [header, fill(text)])),
  };
  const path = fill(request.path);
  const url = new URL(address);
  const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
    hostname: url.hostname,
    port: url.port,
    path,
    method,
    headers,
    agent: false,
  });
  outgoing.end(requestBody === '' ? undefined : requestBody);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const body = await bytesOf(incoming);
  return {
    step: name,
    method,
    path,
    requestType: headers['Content-Type'] ?? '',
    requestBody,
    status: incoming.statusCode ?? 0,
    headers: incoming.headers as Record<string, string>,
    body: body.toString(),
  };
}

const namesOf = (path: string): readonly string[] => path.split(/[.[\]]+/).filter((part) => part !== '');

function valueAt(value: unknown, names: readonly string[]): unknown {
  let found = value;
  for (const name of names)
    found =
      typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[name] : undefined;
  return found;
}

function textAt(value: unknown, path: string): string | undefined {
  const found = valueAt(value, namesOf(path));
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}

/** What is kept of a body. */
function reduced(body: string, { own, keep }: RawRequest, run: string): string {
  const value = parsedJson(body);
  if ((own === undefined && keep === undefined) || value === undefined) return body;
  return JSON.stringify(keepMembers(own === undefined ? value : keepOwn(value, namesOf(own), run), keep));
}

/** Without the elements or members of the list at the path that do not contain the prefix of the run. */
function keepOwn(value: Json, [name, ...rest]: readonly string[], run: string): Json {
  const isOwn = (each: unknown): boolean => JSON.stringify(each).includes(run);
  if (typeof value !== 'object' || value === null) return value;
  if (name === undefined) {
    if (Array.isArray(value)) return value.filter(isOwn);
    return Object.fromEntries(Object.entries(value).filter(isOwn)) as Json;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === name ? keepOwn(member as Json, rest, run) : member,
    ]),
  ) as Json;
}

function keepMembers(value: Json, keep: readonly string[] | undefined): Json {
  if (keep === undefined || typeof value !== 'object' || value === null) return value;
  const found = keep.flatMap((path): [string, Json][] => {
    const member = valueAt(value, namesOf(path));
    return member === undefined ? [] : [[path, member as Json]];
  });
  return Object.fromEntries(found);
}
