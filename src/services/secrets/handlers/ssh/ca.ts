import type { JsonObject } from '../../../core/http/fields.ts';
import type { Storage } from '../../../core/store/storage.ts';
import type { EngineRequest, EngineResponse } from '../../engine.ts';
import { badRequest, orNotFound, SecretsError } from '../../errors.ts';
import type { Resource } from '../../resource.ts';
import { CaKeyPair, CaStore, generateCaKeyPair } from '../../ssh/ca.ts';
import { internalError, withParseError } from '../../ssh/errors.ts';
import { type FieldValues, flag, integer, readFields, text } from '../../ssh/fields.ts';
import type { SshMount } from '../../ssh/mount.ts';
import { parsePrivateKey } from '../../ssh/private-key.ts';
import { parsePublicKeyLine } from '../../ssh/public-key.ts';

/** CA information (docs/protocol/ssh.md#ca). */

const caFields = {
  private_key: text('The private key to import, instead of generating one.'),
  public_key: text('The public key to import, instead of generating one.'),
  generate_signing_key: flag('Whether to generate a key pair (default true).', true),
  key_type: text('Type of a generated key (default `ssh-rsa`).', 'ssh-rsa'),
  key_bits: integer('Size of a generated key; 0: the default of its type.'),
  managed_key_name: text('The name of a managed key.'),
  managed_key_id: text('The ID of a managed key.'),
};

const snapshotFields = { read_snapshot_id: text('The ID of a loaded snapshot.') };

export const ca: Resource<SshMount> = {
  summary: 'Show the public key of the CA; set, recover or delete its key pair.',
  fields: { ...caFields, ...snapshotFields },
  /** The public key of this mount, or of a snapshot named by `read_snapshot_id`. */
  read(mount, request) {
    const { read_snapshot_id: id } = readFields(snapshotFields, request.data);
    const source = id === '' ? mount.ca : new CaStore(openSnapshot(mount, id));
    const key = source.publicKey();
    if (key !== undefined) return { data: { public_key: key } };
    throw id === '' ? badRequest("keys haven't been configured yet") : missingSnapshotCaError(id);
  },
  write: (mount, request) => mount.runExclusive(() => configureCa(mount.ca, request)),
  recover: (mount, request) => mount.runExclusive(() => recoverCa(mount, request)),
  delete: (mount) => mount.runExclusive(() => mount.ca.remove()),
};

export const publicKey: Resource<SshMount> = {
  summary: 'Show the public key of the CA as text; requires no token.',
  read(mount) {
    const body = orNotFound(mount.ca.publicKey());
    return { text: { contentType: 'text/plain', body } };
  },
};

/**
 * Generates a key pair, or imports the given one.
 * @returns the public key if it was generated; otherwise nothing.
 * @throws SecretsError 400; 500 for an unknown `key_type`.
 */
async function configureCa(store: CaStore, request: EngineRequest): Promise<EngineResponse | undefined> {
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
  const generated = await generateCa(store, input.key_type, input.key_bits);
  return { data: { public_key: generated.publicKey } };
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
 * Restores the CA from a loaded snapshot, replacing the current one.
 * @throws SecretsError 400 if no snapshot is named, or it contains no CA; 404 for a snapshot that is not loaded.
 */
async function recoverCa(mount: SshMount, request: EngineRequest): Promise<undefined> {
  const id = request.headers['recover-snapshot-id'] ?? '';
  if (id === '')
    throw badRequest('missing recover snapshot id: send the header that names a loaded snapshot');
  if (!(await mount.ca.restore(openSnapshot(mount, id)))) throw missingSnapshotCaError(id);
}

function openSnapshot({ snapshot }: SshMount, id: string): Storage {
  const storage = snapshot?.(id);
  if (storage === undefined) throw new SecretsError(404, `snapshot ${JSON.stringify(id)} is not loaded`);
  return storage;
}

function missingSnapshotCaError(id: string): SecretsError {
  return badRequest(`snapshot ${JSON.stringify(id)} contains no CA information of this mount`);
}

/** The flag decides; without it, two keys are imported, and no keys are generated. */
function isGenerating(input: FieldValues<typeof caFields>, data: JsonObject): boolean {
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
