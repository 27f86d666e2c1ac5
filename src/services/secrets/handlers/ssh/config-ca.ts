import type { Json } from '../../../../wire/json.ts';
import type { Storage } from '../../../core/store/storage.ts';
import { type EngineParts, type EngineRequest, type EngineResponse, SecretsError } from '../../engine.ts';
import { CaKeyPair, CaStore, generateCaKeyPair } from '../../ssh/ca.ts';
import { badRequest, internalError, withParseError } from '../../ssh/errors.ts';
import { type FieldValues, flag, ignoredWarnings, integer, readFields, text } from '../../ssh/fields.ts';
import { parsePrivateKey } from '../../ssh/private-key.ts';
import { parsePublicKeyLine } from '../../ssh/public-key.ts';

const caFields = {
  private_key: text(),
  public_key: text(),
  generate_signing_key: flag(true),
  key_type: text('ssh-rsa'),
  key_bits: integer(),
  managed_key_name: text(),
  managed_key_id: text(),
};

const snapshotFields = { read_snapshot_id: text() };

/**
 * Submits CA information (docs/protocol/ssh.md#ca): generates a key pair, or imports the given one.
 * @returns the public key if it was generated; otherwise nothing.
 * @throws SecretsError 400; 500 for an unknown `key_type`.
 */
export async function configureCa(
  store: CaStore,
  request: EngineRequest,
): Promise<EngineResponse | undefined> {
  const input = readFields(caFields, request.data);
  if (store.publicKey() !== undefined) {
    throw badRequest('keys are already configured; delete them before reconfiguring');
  }
  if (input.managed_key_name !== '' || input.managed_key_id !== '') {
    throw badRequest('managed keys are not available: no managed key is configured in this service');
  }
  if (!isGenerating(input, request.data)) {
    const { ca, comment } = await readKeyPair(input.private_key, input.public_key);
    await store.put(ca, comment === '' ? `${ca.publicKeyLine}\n` : `${ca.publicKeyLine} ${comment}\n`);
    return undefined;
  }
  const { publicKey } = await generateCa(store, input.key_type, input.key_bits);
  return { data: { public_key: publicKey }, warnings: ignoredWarnings(caFields, [], request.data) };
}

/** The existing CA, or a new one with the defaults. */
export async function ensureCa(store: CaStore): Promise<CaKeyPair> {
  const { key_type, key_bits } = caFields;
  return store.current() ?? (await generateCa(store, key_type.defaultValue, key_bits.defaultValue)).ca;
}

async function generateCa(
  store: CaStore,
  type: string,
  bits: number,
): Promise<{ readonly ca: CaKeyPair; readonly publicKey: string }> {
  const ca = await generateCaKeyPair(type, bits);
  if (ca === undefined) throw internalError(`unknown ssh key pair algorithm: ${type}`);
  const publicKey = `${ca.publicKeyLine}\n`;
  await store.put(ca, publicKey);
  return { ca, publicKey };
}

/**
 * Reads the public key, of this mount or of a snapshot named by `read_snapshot_id`.
 * @throws SecretsError 400 if there is no CA; 404 for a snapshot that is not loaded.
 */
export function readCa(
  store: CaStore,
  snapshot: EngineParts['snapshot'],
  request: EngineRequest,
): EngineResponse {
  const { read_snapshot_id: id } = readFields(snapshotFields, request.data);
  const source = id === '' ? store : new CaStore(openSnapshot(snapshot, id));
  const publicKey = source.publicKey();
  if (publicKey !== undefined) return { data: { public_key: publicKey } };
  throw id === '' ? badRequest("keys haven't been configured yet") : missingSnapshotCaError(id);
}

/**
 * Restores the CA from a loaded snapshot, replacing the current one.
 * @throws SecretsError 400 if no snapshot is named, or it contains no CA; 404 for a snapshot that is not loaded.
 */
export async function recoverCa(
  store: CaStore,
  snapshot: EngineParts['snapshot'],
  request: EngineRequest,
): Promise<undefined> {
  const id = request.headers['recover-snapshot-id'] ?? '';
  if (id === '')
    throw badRequest('missing recover snapshot id: send the header that names a loaded snapshot');
  if (!(await store.restore(openSnapshot(snapshot, id)))) throw missingSnapshotCaError(id);
}

function openSnapshot(snapshot: EngineParts['snapshot'], id: string): Storage {
  const storage = snapshot?.(id);
  if (storage === undefined) throw new SecretsError(404, `snapshot ${JSON.stringify(id)} is not loaded`);
  return storage;
}

function missingSnapshotCaError(id: string): SecretsError {
  return badRequest(`snapshot ${JSON.stringify(id)} contains no CA information of this mount`);
}

/** The flag decides; without it, two keys are imported, and no keys are generated. */
function isGenerating(input: FieldValues<typeof caFields>, data: Readonly<Record<string, Json>>): boolean {
  const isExplicit = Object.hasOwn(data, 'generate_signing_key') && data.generate_signing_key !== null;
  const keys = [input.public_key, input.private_key].filter((key) => key !== '').length;
  if (isExplicit && !input.generate_signing_key) return false;
  if (isExplicit && keys > 0) {
    throw badRequest('public_key and private_key must not be set when generate_signing_key is set to true');
  }
  if (keys === 1) {
    throw badRequest(
      'only one of public_key and private_key set; both must be set to use, or both must be blank to auto-generate',
    );
  }
  return keys === 0;
}

async function readKeyPair(
  privateKey: string,
  publicKey: string,
): Promise<{ readonly ca: CaKeyPair; readonly comment: string }> {
  if (publicKey === '') throw badRequest('missing public_key');
  if (privateKey === '') throw badRequest('missing private_key');
  const ca = withParseError('Unable to parse private_key as an SSH private key', () => {
    return new CaKeyPair(parsePrivateKey(privateKey));
  });
  const { key, comment } = withParseError('Unable to parse public_key as an SSH public key', () => {
    return parsePublicKeyLine(publicKey);
  });
  if (!key.blob.equals(ca.blob) || !(await ca.isConsistent())) {
    throw badRequest('public_key and private_key do not match');
  }
  return { ca, comment };
}
