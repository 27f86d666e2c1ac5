import { getOrCreate } from '../../../wire/maps.ts';
import { bodyLength } from './file-body.ts';
import type { EncodedResponse } from './http-service.ts';

/** The headers of responses, as `writeHead` takes them: names and values in turn. */
export class ResponseHeaders {
  readonly #server: string;
  readonly #prefixes: readonly string[];
  /** The names of a header of the service under its prefixes; there are few. */
  readonly #prefixedNames = new Map<string, readonly string[]>();

  constructor(prefixes: readonly string[], version: string) {
    this.#prefixes = prefixes;
    this.#server = `Lanyard/${version}`;
  }

  of({ status, headers, serviceHeaders, body }: EncodedResponse, closeConnection: boolean) {
    const flat: (string | number)[] = ['Server', this.#server];
    for (const name in headers) flat.push(name, headers[name] ?? '');
    for (const name in serviceHeaders) {
      for (const prefixed of this.#namesOf(name)) flat.push(prefixed, serviceHeaders[name] ?? '');
    }
    if (status !== 204 && status !== 304) flat.push('Content-Length', bodyLength(body));
    if (closeConnection) flat.push('Connection', 'close');
    return flat;
  }

  #namesOf(name: string): readonly string[] {
    return getOrCreate(this.#prefixedNames, name, () => this.#prefixes.map((prefix) => `${prefix}-${name}`));
  }
}
