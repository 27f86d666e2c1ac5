import type { Json, JsonObject } from '../../wire/json.ts';
import type { ModelParts } from '../core/http/http-service.ts';
import * as s from '../core/schema/types.ts';
import type { Change, Storage } from '../core/store/storage.ts';
import type { Acl } from './acl/acl.ts';
import type { Entity } from './model/identity.ts';
import type { TokenEntry } from './model/token-entries.ts';
import type { TtlLimits } from './model/ttl.ts';
import type { Returns } from './returns.ts';

/** The caller: a valid token and its permissions. */
export interface Caller {
  readonly token: TokenEntry;
  /** The token as sent. */
  readonly text: string;
  /** For paths relative to the namespace of the request. */
  readonly acl: Acl;
}

/** A request that has passed the service's own checks (seal, token, policy). */
export interface EngineRequest {
  readonly operation: 'read' | 'list' | 'scan' | 'create' | 'update' | 'patch' | 'delete' | 'recover';
  /** Whether the caller also has `update` on this path; distinguishes callers that may only create. */
  readonly canUpdate?: boolean;
  /** Relative to the mount, without leading or trailing slash, percent-decoded by segment. */
  readonly path: string;
  /** Fields of the JSON body, or query parameters of a read. */
  readonly data: JsonObject;
  /** `X-<prefix>-Recover-Snapshot-Id` and the like, lower case, without the prefix: `recover-snapshot-id`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Display name of the caller's token; empty for unauthenticated paths. */
  readonly displayName: string;
  /** The caller's entity; only tokens created by a login have one. */
  readonly entity?: Entity | undefined;
  /** Missing on paths that require no token. */
  readonly caller?: Caller | undefined;
  readonly now: Date;
  /** The lifetimes of the mount. */
  readonly ttlLimits: TtlLimits;
  /** The IP address of the client. */
  readonly remoteAddress?: string;
  /** The requested lifetime of the wrapped response in seconds; missing or 0: it is not wrapped. */
  readonly wrapTtl?: number;
  /** On paths that take a wrapping token: that token. */
  readonly wrappingToken?: TokenEntry | undefined;
}

/** A caller authenticated by an auth method; the service creates a token for it. */
export interface Login {
  /** The method's part of the token's display name, and the token's metadata. */
  readonly displayName: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** The caller's name at the auth method, by which its entity is found. */
  readonly alias: { readonly name: string; readonly metadata: Readonly<Record<string, string>> };
  readonly token: TokenParams;
}

/** Settings of the token created by a login. */
export const tokenParams = s.object({
  policies: s.list(s.string()),
  /** Omit the policy `default`. */
  noDefaultPolicy: s.boolean(),
  /** Seconds; 0: the service's default. */
  ttl: s.number(),
  maxTtl: s.number(),
  /** 0: unlimited. */
  uses: s.number(),
  /** Seconds; missing or 0: not periodic. */
  period: s.optional(s.number()),
  /** Seconds, also of periodic tokens; missing or 0: no limit. */
  explicitMaxTtl: s.optional(s.number()),
  /** Settings that were made with the older name, which are also shown under that name. */
  olderNames: s.optional(s.list(s.string())),
  /** Missing: the default of the mount. */
  type: s.optional(s.oneOf(['service', 'batch'])),
  /** Addresses and CIDR blocks that may use the tokens; missing or empty: all. */
  boundCidrs: s.optional(s.list(s.string())),
  /** Whether only the address of the login may use a token. */
  strictlyBindIp: s.optional(s.boolean()),
});
export type TokenParams = s.Stored<typeof tokenParams>;

/** The content of a response; `undefined` from an engine is 204 without a body. */
export interface EngineResponse {
  /** Default 200; some responses with status 404 still have data or warnings. */
  readonly status?: number;
  readonly data?: JsonObject;
  readonly warnings?: readonly string[];
  /** Sent unchanged, instead of the JSON response format. */
  readonly text?: { readonly contentType: string; readonly body: string };
  /** Lease duration in seconds of a response without a lease. */
  readonly duration?: number;
  /**
   * A lease with this duration in seconds; the service generates its ID, and passes `internal` to `revoke`
   * when it ends.
   */
  readonly lease?: { readonly duration: number; readonly internal: Json };
  /** The ID of the lease created from `lease`. */
  readonly leaseId?: string;
  /** The token that the request created or renewed. */
  readonly auth?: JsonObject;
  /** Create a token for this caller. */
  readonly login?: Login;
  /** The token that returns the response, in its place. */
  readonly wrapInfo?: JsonObject;
  /** What its operation returns: the types with which it is written. */
  readonly returns?: Returns | undefined;
}

/** Dependencies of an engine or auth method. */
export interface EngineParts extends ModelParts {
  /** The options of the mount, e.g. `version` of a key-value mount. */
  readonly options?: Readonly<Record<string, string>>;
  /** A read-only view of this mount's storage in a snapshot; undefined: no such snapshot. */
  readonly snapshot?: (id: string) => Storage | undefined;
}

/** The requested operation, before it is known whether a write creates or updates. */
export type Verb = Exclude<EngineRequest['operation'], 'create' | 'update'> | 'write';

/** A path of an engine, for its documentation. */
export interface PathDescription {
  /** Relative to the mount: literal segments, `:name` for one segment, a final `*name` for one or more. */
  readonly path: string;
  /** One sentence. */
  readonly summary: string;
  readonly operations: readonly EngineRequest['operation'][];
  /** Query parameters of reads and lists. */
  readonly query: s.Fields;
  /** Fields of the body of writes and patches. */
  readonly fields: s.Fields;
  /** Whether the body may have any fields, so that there are no warnings about unknown ones. */
  readonly hasAnyFields: boolean;
  /** Statuses of errors of writes, besides the common ones. */
  readonly errors: readonly number[];
  readonly returns: Readonly<Record<Verb, Returns>>;
}

/** The change of an engine to its latest version, which it has from then on. */
export interface Upgrade {
  /** In the storage of the engine. */
  readonly changes: readonly Change[];
  /** Undoes the change of the engine; for changes that could not be written. */
  revert(): void;
}

/** Whether a path requires a token with permission for it, uses one that is sent and then must be valid, or ignores it. */
export type Access = 'token' | 'optional' | 'none';

/** The target of a mount: a secrets engine, an auth method, or a part of the service itself. */
export interface Engine {
  readonly type: string;
  access(operation: EngineRequest['operation'], path: string): Access;
  /**
   * Whether the object at the path exists. It decides whether a write is a create or an update, and thus
   * which capability it requires; undefined: the engine has no such check, and every write is an update.
   *
   * On a path that uses an object and may create it (signing, docs/protocol/ssh.md#endpoints), this is about
   * the used object, the key: while there is no key, a caller needs `create`, and the engine generates one
   * with its defaults; a caller with only `update` gets an error. Once the key exists, a caller needs
   * `update`. To sign in either state, a caller needs both.
   * @param findCaller the caller's token, not authorized yet
   */
  exists(path: string, findCaller?: () => TokenEntry | undefined): boolean | undefined;
  /** Revokes what a lease granted; does nothing if it is already gone. */
  revoke?(internal: Json): Promise<void>;
  /** Changes to the latest version at once; missing: the version of the mount is fixed. */
  upgrade?(now: Date): Upgrade;
  /** The paths that the engine serves, for the help facility. */
  describe?(): readonly PathDescription[];
  /** @throws SecretsError */
  handle(request: EngineRequest): Promise<EngineResponse | undefined>;
}
