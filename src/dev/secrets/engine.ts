import type { Json } from '../../wire/json.ts';
import type { Storage } from '../storage.ts';

/** Who a caller is, whatever token it came with; identity templates expand to its members. */
export interface Entity {
  readonly id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** One for each auth method that the entity has logged in by. */
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
  /** May the caller update at this path, too? It tells a caller who may only create. */
  readonly mayUpdate?: boolean;
  /** Below the mount, without leading or trailing slash, percent-decoded segment by segment. */
  readonly path: string;
  /** Members of the JSON body, or query parameters of a read. */
  readonly data: Readonly<Record<string, Json>>;
  /** `X-<prefix>-Recover-Snapshot-Id` and the like, lower case, without the prefix: `recover-snapshot-id`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Display name of the caller's token; empty for unauthenticated paths. */
  readonly displayName: string;
  /** The caller's entity; tokens that were not made by a login have none. */
  readonly entity?: Entity | undefined;
  readonly now: Date;
}

/** What the service makes an envelope of; `undefined` from an engine is 204, no body. */
export interface EngineResponse {
  /** Of the envelope, 200 unless said otherwise: some of what is not there (404) still has data or warnings. */
  readonly status?: number;
  readonly data?: Readonly<Record<string, Json>>;
  readonly warnings?: readonly string[];
  /** Answered as it is, instead of an envelope. */
  readonly text?: { readonly contentType: string; readonly body: string };
  /** Seconds that the answer is good for, where there is no lease. */
  readonly duration?: number;
  /** A lease of so many seconds; the service makes its ID, and hands `internal` to `revoke` when it ends. */
  readonly lease?: { readonly duration: number; readonly internal: Json };
}

/** A refusal: status and the strings of `errors`. 404 with no strings is "nothing there". */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly string[];

  constructor(status: number, ...errors: readonly string[]) {
    super(errors.join('; ') || `status ${status}`);
    this.status = status;
    this.errors = errors;
  }
}

/** What an engine is built with. */
export interface EngineParts {
  readonly storage: Storage;
  /** Cryptographically strong bytes; seeded in tests. */
  readonly random: (length: number) => Uint8Array;
  /** The options that the mount was made with, e.g. `version` of a key-value mount. */
  readonly options?: Readonly<Record<string, string>>;
  /** This mount's storage as it was when the snapshot was made, read only; undefined: no such snapshot. */
  readonly snapshot?: (id: string) => Storage | undefined;
}

/** One path of an engine, for the help facility. */
export interface PathDescription {
  /** Below the mount: literal segments, `:name` for one segment, `*name` at the end for one or more. */
  readonly path: string;
  /** One sentence. */
  readonly summary: string;
  readonly operations: readonly EngineRequest['operation'][];
  /** Members of the body of a write, and query parameters of a read. */
  readonly fields?: Readonly<Record<string, FieldDescription>>;
}

export interface FieldDescription {
  readonly type: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description: string;
  readonly required?: boolean;
}

/** A secrets engine: one instance a mount. */
export interface Engine {
  readonly type: string;
  /** Paths that need no token; a segment `:name` stands for any one segment. */
  readonly unauthenticated: readonly {
    readonly operation: EngineRequest['operation'];
    readonly path: string;
  }[];
  /**
   * Does the thing at the path exist? It decides whether a write is a create or an update, and with that which
   * capability it takes; undefined: the engine has no such check, and every write is an update.
   *
   * On a path that uses a thing and may make it (signing, docs/protocol/ssh.md#endpoints), the thing is what
   * is used, the key: while there is none, a caller needs `create` and the engine makes one with its defaults;
   * a caller with `update` alone is refused. Once there is one, a caller needs `update`. So who is to be able
   * to sign in either state has both.
   */
  exists(path: string): boolean | undefined;
  /** Takes back what a lease gave. Asked again for what is gone already, it does nothing. */
  revoke?(internal: Json): Promise<void>;
  /** The paths that the engine serves, for the help facility. */
  describe?(): readonly PathDescription[];
  /** @throws Refusal */
  handle(request: EngineRequest): Promise<EngineResponse | undefined>;
}
