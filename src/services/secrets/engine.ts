import type { Json } from '../../wire/json.ts';
import { HttpError } from '../core/http/http-service.ts';
import type { Storage } from '../core/store/storage.ts';

/** The identity of a caller, independent of its token; identity templates expand to its fields. */
export interface Entity {
  readonly id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** One for each auth method that the entity has logged in with. */
  readonly aliases: readonly {
    /** The accessor of the auth method's mount, e.g. `auth_userpass_1a2b3c4d`. */
    readonly mountAccessor: string;
    readonly name: string;
    readonly metadata: Readonly<Record<string, string>>;
  }[];
}

/** A request that has passed the service's own checks (seal, token, policy), as an engine sees it. */
export interface EngineRequest {
  readonly operation: 'read' | 'list' | 'create' | 'update' | 'patch' | 'delete' | 'recover';
  /** Whether the caller also has `update` on this path; distinguishes callers that may only create. */
  readonly canUpdate?: boolean;
  /** Relative to the mount, without leading or trailing slash, percent-decoded by segment. */
  readonly path: string;
  /** Fields of the JSON body, or query parameters of a read. */
  readonly data: Readonly<Record<string, Json>>;
  /** `X-<prefix>-Recover-Snapshot-Id` and the like, lower case, without the prefix: `recover-snapshot-id`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Display name of the caller's token; empty for unauthenticated paths. */
  readonly displayName: string;
  /** The caller's entity; only tokens created by a login have one. */
  readonly entity?: Entity | undefined;
  readonly now: Date;
}

/** The content of a response; `undefined` from an engine is 204 without a body. */
export interface EngineResponse {
  /** Default 200; some responses with status 404 still have data or warnings. */
  readonly status?: number;
  readonly data?: Readonly<Record<string, Json>>;
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
}

/** An error response: status and the strings of `errors`. 404 without strings means "not found". */
export class SecretsError extends HttpError {
  readonly errors: readonly string[];

  constructor(status: number, ...errors: readonly string[]) {
    super(status, errors.join('; ') || `status ${status}`);
    this.errors = errors;
  }
}

/** Dependencies of an engine. */
export interface EngineParts {
  readonly storage: Storage;
  /** Cryptographically secure bytes; seeded in tests. */
  readonly random: (length: number) => Uint8Array;
  /** The options of the mount, e.g. `version` of a key-value mount. */
  readonly options?: Readonly<Record<string, string>>;
  /** A read-only view of this mount's storage in a snapshot; undefined: no such snapshot. */
  readonly snapshot?: (id: string) => Storage | undefined;
}

/** A path of an engine, for the help facility. */
export interface PathDescription {
  /** Relative to the mount: literal segments, `:name` for one segment, a final `*name` for one or more. */
  readonly path: string;
  /** One sentence. */
  readonly summary: string;
  readonly operations: readonly EngineRequest['operation'][];
  /** Fields of the body of a write, and query parameters of a read. */
  readonly fields?: Readonly<Record<string, FieldDescription>>;
}

export interface FieldDescription {
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description: string;
  readonly required?: boolean;
}

/** A secrets engine, one instance per mount. */
export interface Engine {
  readonly type: string;
  /** Paths that require no token; a segment `:name` matches any one segment. */
  readonly unauthenticated: readonly {
    readonly operation: EngineRequest['operation'];
    readonly path: string;
  }[];
  /**
   * Whether the object at the path exists. It decides whether a write is a create or an update, and thus
   * which capability it requires; undefined: the engine has no such check, and every write is an update.
   *
   * On a path that uses an object and may create it (signing, docs/protocol/ssh.md#endpoints), this is about
   * the used object, the key: while there is no key, a caller needs `create`, and the engine generates one
   * with its defaults; a caller with only `update` gets an error. Once the key exists, a caller needs
   * `update`. To sign in either state, a caller needs both.
   */
  exists(path: string): boolean | undefined;
  /** Revokes what a lease granted; does nothing if it is already gone. */
  revoke?(internal: Json): Promise<void>;
  /** The paths that the engine serves, for the help facility. */
  describe?(): readonly PathDescription[];
  /** @throws SecretsError */
  handle(request: EngineRequest): Promise<EngineResponse | undefined>;
}
