import { formatJson, parseJson } from '../../../wire/json.ts';
import type { ModelParts } from '../../core/http/http-service.ts';
import { checkOf } from '../../core/schema/matches.ts';
import * as s from '../../core/schema/types.ts';
import { writerOf } from '../../core/schema/write.ts';
import { encryptionWithKey } from '../../core/store/encryption.ts';
import type { TokenEntry } from './token-entries.ts';

export const batchTokenPrefix = 'hvb.';

/** The fields of `TokenEntry` that a batch token has. */
const contents = s.object({
  policies: s.list(s.string()),
  path: s.string(),
  displayName: s.string(),
  meta: s.nullable(s.map(s.string())),
  parent: s.nullable(s.string()),
  created: s.number(),
  ttl: s.number(),
  namespace: s.optional(s.string()),
  entityId: s.optional(s.string()),
  role: s.optional(s.string()),
  boundCidrs: s.optional(s.list(s.string())),
});
type BatchToken = s.Stored<typeof contents>;
const contentsOf = writerOf(contents) as (token: BatchToken) => BatchToken;

/** The contents, and the ID of the namespace: a later namespace may have its path. */
const sealed = checkOf(s.object({ token: contents, namespaceId: s.string() }));

const keyBytes = 32;
/** Authenticated with every token. */
const encryptionName = 'batch-token';

interface BatchTokenParts extends Pick<ModelParts, 'storage' | 'random'> {
  /** The digest of a token. */
  readonly digest: (text: string) => string;
  /** The ID of the namespace at a path; empty: none. */
  readonly namespaceId: (path: string) => string;
}

/** Batch tokens: encrypted descriptions of a token, which are not stored. */
export class BatchTokens {
  readonly #parts: BatchTokenParts;

  constructor(parts: BatchTokenParts) {
    this.#parts = parts;
  }

  /** Creates a token; its key is stored with the first one. */
  async issue(token: BatchToken): Promise<{ readonly text: string; readonly entry: TokenEntry }> {
    const { storage, random } = this.#parts;
    if (storage.get('batch-key') === undefined) {
      const key = Buffer.from(random(keyBytes)).toString('base64');
      await storage.write([{ key: 'batch-key', value: key }]);
    }
    const namespaceId = this.#parts.namespaceId(token.namespace ?? '');
    const own = contentsOf(token);
    const ciphertext = this.#encryption().encrypt(encryptionName, formatJson({ token: own, namespaceId }));
    const text = batchTokenPrefix + Buffer.from(ciphertext, 'base64').toString('base64url');
    return { text, entry: this.#entryOf(text, own) };
  }

  /** A token of this service; undefined: not one of them. Its lifetime is not checked. */
  open(text: string): TokenEntry | undefined {
    const ciphertext = Buffer.from(text.slice(batchTokenPrefix.length), 'base64url').toString('base64');
    try {
      const opened = parseJson(this.#encryption().decrypt(encryptionName, ciphertext));
      if (!sealed(opened)) return undefined;
      const { token, namespaceId } = opened;
      const isSame = this.#parts.namespaceId(token.namespace ?? '') === namespaceId;
      return isSame ? this.#entryOf(text, token) : undefined;
    } catch {
      return undefined;
    }
  }

  #entryOf(text: string, token: BatchToken): TokenEntry {
    return {
      ...token,
      digest: this.#parts.digest(text),
      accessor: '',
      uses: 0,
      renewed: null,
      expires: token.created + token.ttl,
      maxTtl: 0,
      renewable: false,
      type: 'batch',
    };
  }

  /** @throws Error: no batch token was created yet */
  #encryption() {
    const key = this.#parts.storage.get('batch-key');
    if (typeof key !== 'string') throw new Error('no batch token was created');
    return encryptionWithKey(Buffer.from(key, 'base64'), this.#parts.random);
  }
}
