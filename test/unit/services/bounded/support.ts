import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { encodeBody, type HttpRequest } from '../../../../src/services/core/http/http-service.ts';
import { readPath } from '../../../../src/services/core/http/path.ts';
import { generatedPasswordCost } from '../../../../src/services/core/password.ts';
import { SortedMap } from '../../../../src/services/core/store/sorted-map.ts';
import { type EmbeddedServices, startServices } from '../../../../src/services/start-services.ts';
import { formatJson, type Json } from '../../../../src/wire/json.ts';
import type { ServiceName } from '../../../../src/wire/services.ts';
import { freePorts } from '../support.ts';

const prefixes = ['vault', 'consul', 'nomad'];

/** A request: method, path with query, body. */
export type Ask = readonly [method: string, path: string, body?: Json | string];

/** Keys that are copied as one unit: a copy takes so much less than a look-up of a row. */
const keysOfUnit = 25;
/** Characters that are encoded as one unit. */
const charactersOfUnit = 64;

const watchedMethods = ['get', 'put', 'keys', 'keysBefore', 'keysAt', 'entries'] as const;
type WatchedMethod = (typeof watchedMethods)[number];

/**
 * Reports the entries of ordered maps, which all tables and indexes are in, that are read, written or listed, until the
 * returned function is called.
 */
export function watchMaps(report: (method: WatchedMethod, entries: number) => void): () => void {
  const prototype = SortedMap.prototype as unknown as Record<WatchedMethod, (...args: unknown[]) => unknown>;
  const original = Object.fromEntries(watchedMethods.map((name) => [name, prototype[name]]));
  for (const name of watchedMethods) {
    const method = prototype[name];
    prototype[name] = function watched(...args) {
      const result = method.apply(this, args);
      report(name, name === 'get' || name === 'put' ? 1 : (result as unknown[]).length);
      return result;
    };
  }
  return () => void Object.assign(prototype, original);
}

/** Counts the work of each turn of the event loop: rows that are looked up or written, keys, and encoded characters. */
export class TurnCounter {
  #units = 0;
  #longest = 0;
  #total = 0;
  #isOver = false;
  readonly stop: () => void;

  constructor() {
    const stringify = JSON.stringify;
    const add = (units: number): void => {
      this.#units += units;
      this.#total += units;
    };
    const restoreMaps = watchMaps((method, entries) => {
      if (method === 'keys') add(entries / keysOfUnit);
      else if (method !== 'keysBefore' && method !== 'keysAt') add(entries);
    });
    JSON.stringify = ((...args: Parameters<typeof stringify>) => {
      const text = stringify(...args) as string | undefined;
      add((text?.length ?? 0) / charactersOfUnit);
      return text;
    }) as typeof stringify;
    this.stop = () => {
      this.#isOver = true;
      restoreMaps();
      JSON.stringify = stringify;
    };
    onTestFinished(this.stop);
    const tick = (): void => {
      this.#longest = Math.max(this.#longest, this.#units);
      this.#units = 0;
      if (!this.#isOver) setImmediate(tick);
    };
    tick();
  }

  /** All work of `act`. */
  async totalOf(act: () => Promise<unknown>): Promise<number> {
    const before = this.#total;
    await act();
    return Math.round(this.#total - before);
  }

  /** The work of the longest turn while `act` runs. */
  async longestOf(act: () => Promise<unknown>): Promise<number> {
    await new Promise((done) => setImmediate(done));
    this.#longest = 0;
    this.#units = 0;
    await act();
    await new Promise((done) => setImmediate(done));
    return Math.round(this.#longest);
  }
}

/** The embedded services with all rights, which are asked directly or through HTTP. */
export class Running {
  readonly services: EmbeddedServices;
  /** Lines that the services logged: errors that no client caused. */
  readonly faults: readonly string[];
  readonly #addresses: Readonly<Record<ServiceName, string>>;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #tokens: { [S in ServiceName]?: string } = {};

  private constructor(
    services: EmbeddedServices,
    addresses: Readonly<Record<ServiceName, string>>,
    faults: readonly string[],
  ) {
    this.services = services;
    this.faults = faults;
    this.#addresses = addresses;
  }

  static async start(dataDirectory?: string): Promise<Running> {
    const faults: string[] = [];
    const services = await startServices({
      clock: () => new Date(),
      random: (length) => randomBytes(length),
      version: '9.8.7',
      scryptCost: generatedPasswordCost,
      box: { owners: { users: [{ name: 'dev' }] } },
      log: (line) => faults.push(line),
      ...(dataDirectory !== undefined && { dataDirectory }),
    });
    const running = new Running(services, await services.listen(freePorts), faults);
    onTestFinished(() => {
      running.#agent.destroy();
      return services.close();
    });
    for (const service of ['registry', 'scheduler'] as const) {
      const token = (await running.load(service, ['PUT', '/v1/acl/bootstrap'])) as { SecretID: string };
      running.#tokens[service] = token.SecretID;
    }
    return running;
  }

  #headers(service: ServiceName): Record<string, string> {
    const { rootToken = '', boxToken, accountsToken } = this.services;
    if (service === 'secrets') return { 'x-vault-token': rootToken };
    if (service === 'box') return { authorization: `Bearer ${boxToken}` };
    if (service === 'accounts') return { authorization: `Bearer ${accountsToken}` };
    const token = this.#tokens[service];
    return token === undefined ? {} : { 'x-consul-token': token, 'x-nomad-token': token };
  }

  /** Asks a service without HTTP. @returns the body. @throws Error another status than 2xx */
  async load(service: ServiceName, [method, target, body]: Ask): Promise<Json> {
    const answering = this.services.services[service];
    const { path, query } = readPath(target, answering.rawKeyPrefixes);
    const headers = this.#headers(service);
    const text = body === undefined ? '' : typeof body === 'string' ? body : formatJson(body);
    const asked: HttpRequest = {
      method,
      path,
      query,
      headers,
      remoteAddress: '127.0.0.1',
      signal: new AbortController().signal,
      serviceHeader: (name) => prefixes.map((prefix) => headers[`x-${prefix}-${name}`]).find(Boolean),
      serviceHeaders: () => ({}),
      text: async () => text,
      bytes: async () => Buffer.from(text),
      json: async () => (text === '' ? undefined : (JSON.parse(text) as Json)),
      stream: () => {
        throw new Error('no stream');
      },
    };
    const response = await encodeBody(await answering.handle(asked));
    const answered = String(response.body ?? '');
    if (response.status >= 300) throw new Error(`${method} ${target}: ${response.status} ${answered}`);
    return answered.startsWith('{') ? (JSON.parse(answered) as Json) : answered;
  }

  /** Asks a service through HTTP. @returns the status, and the length of the body */
  async ask(service: ServiceName, [method, path, body]: Ask, signal?: AbortSignal): Promise<number> {
    const { hostname, port } = new URL(this.#addresses[service]);
    const text = body === undefined ? undefined : typeof body === 'string' ? body : formatJson(body);
    const headers = {
      ...this.#headers(service),
      ...(text !== undefined && { 'Content-Length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(
        { hostname, port, method, path, headers, agent: this.#agent, ...(signal && { signal }) },
        (response) => {
          response.on('error', reject);
          response.on('end', () => resolve(response.statusCode ?? 0));
          response.resume();
        },
      );
      sent.on('error', reject);
      sent.end(text);
    });
  }
}
