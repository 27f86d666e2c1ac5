import type { JsonObject } from '../../../wire/json.ts';
import { checkOf } from '../../core/schema/matches.ts';
import * as s from '../../core/schema/types.ts';
import type { Cubbyholes } from './cubbyholes.ts';
import type { TokenEntry } from './token-entries.ts';
import type { Tokens } from './tokens.ts';

/** The policy of wrapping tokens, in every namespace. */
export const wrappingPolicy = {
  name: 'response-wrapping',
  text: `path "cubbyhole/response" { capabilities = ["create", "read"] }
path "sys/wrapping/unwrap" { capabilities = ["update"] }
`,
};

export function isWrappingToken({ policies }: TokenEntry): boolean {
  return policies.length === 1 && policies[0] === wrappingPolicy.name;
}

export interface WrappedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** The path of the request, relative to its namespace. */
  readonly creationPath: string;
}

/** What a lookup shows, and how the response is sent. */
const wrapInfo = checkOf(
  s.object({
    creation_path: s.string(),
    creation_time: s.string(),
    creation_ttl: s.number(),
    status: s.number(),
    content_type: s.string(),
  }),
);
const storedResponse = checkOf(s.object({ response: s.string() }));

interface WrapRequest {
  /** Seconds. */
  readonly ttl: number;
  readonly namespace: { readonly path: string; readonly id: string };
  readonly wrappedAccessor?: string | undefined;
}

/** Responses stored in the cubbyholes of wrapping tokens: orphans with one use and a fixed lifetime. */
export class WrappedResponses {
  readonly #tokens: Tokens;
  readonly #cubbyholes: Cubbyholes;

  constructor(tokens: Tokens, cubbyholes: Cubbyholes) {
    this.#tokens = tokens;
    this.#cubbyholes = cubbyholes;
  }

  /** Stores a response. @returns `wrap_info` */
  async wrap(
    { status, contentType, body, creationPath }: WrappedResponse,
    { ttl, namespace, wrappedAccessor }: WrapRequest,
  ): Promise<JsonObject> {
    const text = this.#tokens.newToken();
    const token = await this.#tokens.create(text, {
      policies: [wrappingPolicy.name],
      path: creationPath,
      displayName: '',
      meta: null,
      uses: 1,
      parent: null,
      ttl,
      maxTtl: ttl,
      renewable: false,
      ...(namespace.path !== '' && { namespace: namespace.path }),
    });
    const created = {
      creation_path: creationPath,
      creation_time: new Date(token.created * 1000).toISOString(),
    };
    await this.#cubbyholes.put(
      { token: token.digest, namespaceId: namespace.id },
      {
        response: { response: body },
        wrapinfo: { ...created, creation_ttl: ttl, status, content_type: contentType },
      },
    );
    return {
      token: text,
      accessor: token.accessor,
      ttl,
      ...created,
      ...(wrappedAccessor !== undefined && { wrapped_accessor: wrappedAccessor }),
    };
  }

  /** The response of a wrapping token, and its lookup; undefined: it has none. */
  find(token: TokenEntry, namespaceId: string) {
    const cubbyhole = { token: token.digest, namespaceId };
    const stored = this.#cubbyholes.get(cubbyhole, 'response');
    const storedInfo = this.#cubbyholes.get(cubbyhole, 'wrapinfo');
    if (!storedResponse(stored) || !wrapInfo(storedInfo)) return undefined;
    const { status, content_type: contentType, ...info } = storedInfo;
    const response = { status, contentType, body: stored.response, creationPath: info.creation_path };
    return { response, info, ttl: info.creation_ttl };
  }
}
