import * as s from '../../core/schema/types.ts';
import type { Storage } from '../../core/store/storage.ts';
import { uuid } from '../../core/uuid.ts';
import type { Core, CoreParts, OpenCore } from '../core.ts';
import { badRequest, notInitialized, serviceSealed } from '../errors.ts';
import type { InputOf } from '../resource.ts';
import { Seal } from '../seal/seal.ts';

/** The parameters of `sys/init`. */
export const initialization = {
  secret_shares: s.integer('Number of key shares to generate.', { default: 5 }),
  secret_threshold: s.integer('Number of key shares required to unseal.', { default: 3 }),
  pgp_keys: s.list(s.string(), 'Must be empty: key shares are not encrypted.'),
  root_token_pgp_key: s.string('Must be empty: the root token is not encrypted.'),
  recovery_shares: s.integer('Must be 0: there are no recovery keys.'),
  recovery_threshold: s.integer('Must be 0: there are no recovery keys.'),
  recovery_pgp_keys: s.list(s.string(), 'Must be empty: there are no recovery keys.'),
};

/** The states of the service: uninitialized, sealed or unsealed, and the transitions. */
export class SecretsState {
  readonly #storage: Storage;
  readonly #parts: Omit<CoreParts, 'seal'>;
  readonly #openCore: OpenCore;
  readonly #seal: Seal;
  #core: Core | undefined;
  #opening: Promise<Core> | undefined;

  /** @param openCore opens the parts that exist while the service is unsealed. */
  constructor(storage: Storage, parts: Omit<CoreParts, 'seal'>, openCore: OpenCore) {
    this.#storage = storage;
    this.#parts = parts;
    this.#openCore = openCore;
    this.#seal = new Seal(storage, parts.random);
  }

  get initialized(): boolean {
    return this.#seal.record !== undefined;
  }

  get sealed(): boolean {
    return this.#core === undefined;
  }

  /** @throws SecretsError 501, 503 */
  get core(): Core {
    if (this.#core) return this.#core;
    throw this.initialized ? serviceSealed() : notInitialized();
  }

  /** Identifies this data; unchanged since the first start. */
  get clusterId(): string {
    return String(this.#storage.get('cluster') ?? '');
  }

  async ensureClusterId(): Promise<void> {
    if (this.clusterId !== '') return;
    await this.#storage.write([{ key: 'cluster', value: uuid(this.#parts.random) }]);
  }

  /** Initializes with a root key of one share and stays unsealed. */
  async initializeWithKey(rootKey: Uint8Array): Promise<void> {
    await this.#seal.initialize(rootKey, 1, 1);
    await this.#open();
  }

  /** Opens with the root key; false: wrong key. */
  async unsealWithKey(rootKey: Uint8Array): Promise<boolean> {
    if (!this.#seal.open(rootKey)) return false;
    await this.#open();
    return true;
  }

  /** `sys/init`: key shares and an initial root token; the service is sealed after it. @throws SecretsError 400 */
  async initialize(input: InputOf<typeof initialization>) {
    const { secret_shares: shares, secret_threshold: threshold } = input;
    if (this.initialized) throw badRequest('secrets service is already initialized');
    rejectUnsupported(input);
    if (shares < 1 || shares > 255) throw badRequest('secret_shares must be between 1 and 255');
    if (threshold < 1 || threshold > shares)
      throw badRequest('secret_threshold must be between 1 and secret_shares');
    if (threshold === 1 && shares > 1)
      throw badRequest('secret_threshold must be greater than one for multiple shares');
    const keyShares = await this.#seal.initialize(this.#seal.newRootKey(), shares, threshold);
    const { tokens } = await this.#open();
    const rootToken = tokens.newToken();
    await tokens.createRootToken(rootToken);
    this.seal();
    return { shares: keyShares, rootToken };
  }

  /** `sys/unseal`: takes one key share. @throws SecretsError 400 */
  async unseal(share: string): Promise<void> {
    if (!this.initialized) throw notInitialized();
    this.#seal.submitShare(share);
    if (this.#seal.storage) await this.#open();
  }

  resetUnseal(): void {
    this.#seal.reset();
  }

  seal(): void {
    this.#core?.reaper.stop();
    this.#core = undefined;
    this.#seal.seal();
  }

  /** Threshold, number of shares, number of shares given, and the nonce of the attempt to unseal. */
  get unsealProgress(): {
    readonly t: number;
    readonly n: number;
    readonly progress: number;
    readonly nonce: string;
  } {
    const { threshold = 0, shares = 0 } = this.#seal.record ?? {};
    return { t: threshold, n: shares, progress: this.#seal.progress, nonce: this.#seal.nonce };
  }

  async #open(): Promise<Core> {
    const storage = this.#seal.storage;
    if (!storage) throw serviceSealed();
    if (this.#core) return this.#core;
    this.#opening ??= this.#openCore(storage, { ...this.#parts, seal: () => this.seal() }).finally(() => {
      this.#opening = undefined;
    });
    const core = await this.#opening;
    // Sealed meanwhile: discard what was opened.
    if (this.#seal.storage !== storage) {
      core.reaper.stop();
      throw serviceSealed();
    }
    this.#core = core;
    return core;
  }
}

/** Parameters of keys that are encrypted, or kept by another service. @throws SecretsError 400 */
function rejectUnsupported(input: InputOf<typeof initialization>): void {
  const encrypted = (['pgp_keys', 'root_token_pgp_key'] as const).find((name) => input[name].length > 0);
  if (encrypted !== undefined) throw badRequest(`parameter ${encrypted} is not supported`);
  const recovery: string[] = (['recovery_shares', 'recovery_threshold'] as const).filter(
    (name) => input[name] > 0,
  );
  if (input.recovery_pgp_keys.length > 0) recovery.push('recovery_pgp_keys');
  if (recovery.length > 0)
    throw badRequest(`parameters ${recovery.join(',')} not applicable to seal type shamir`);
}
