import type { Json } from '../../../wire/json.ts';
import type { Storage } from '../../storage.ts';
import { type EngineParts, type EngineRequest, type EngineResponse, Refusal } from '../engine.ts';
import { Authority, AuthorityStore, generateAuthority } from './authority.ts';
import { flag, ignoredWarnings, integer, readFields, text, type Values } from './fields.ts';
import { parsePrivateKey } from './private-key.ts';
import { parsePublicKeyLine } from './public-key.ts';
import { failed, readable, refused } from './refusals.ts';

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
 * @throws Refusal 400; 500 for an unknown `key_type`.
 */
export async function submitCa(
  store: AuthorityStore,
  request: EngineRequest,
): Promise<EngineResponse | undefined> {
  const given = readFields(caFields, request.data);
  if (store.publicKey() !== undefined) {
    throw refused('keys are already configured; delete them before reconfiguring');
  }
  if (given.managed_key_name !== '' || given.managed_key_id !== '') {
    throw refused('managed keys are not available: no managed key is configured in this service');
  }
  if (!isGenerating(given, request.data)) {
    const { authority, comment } = await readPair(given.private_key, given.public_key);
    await store.put(authority, comment === '' ? `${authority.line}\n` : `${authority.line} ${comment}\n`);
    return undefined;
  }
  const { publicKey } = await generateCa(store, given.key_type, given.key_bits);
  return { data: { public_key: publicKey }, warnings: ignoredWarnings(caFields, [], request.data) };
}

/** The existing CA, or a new one with the defaults. */
export async function ensureCa(store: AuthorityStore): Promise<Authority> {
  const { key_type, key_bits } = caFields;
  return store.current() ?? (await generateCa(store, key_type.absent, key_bits.absent)).authority;
}

async function generateCa(
  store: AuthorityStore,
  type: string,
  bits: number,
): Promise<{ readonly authority: Authority; readonly publicKey: string }> {
  const authority = await generateAuthority(type, bits);
  if (authority === undefined) throw failed(`unknown ssh key pair algorithm: ${type}`);
  const publicKey = `${authority.line}\n`;
  await store.put(authority, publicKey);
  return { authority, publicKey };
}

/**
 * Reads the public key, of this mount or of a snapshot named by `read_snapshot_id`.
 * @throws Refusal 400 if there is no CA; 404 for a snapshot that is not loaded.
 */
export function readCa(
  store: AuthorityStore,
  snapshot: EngineParts['snapshot'],
  request: EngineRequest,
): EngineResponse {
  const { read_snapshot_id: id } = readFields(snapshotFields, request.data);
  const source = id === '' ? store : new AuthorityStore(openSnapshot(snapshot, id));
  const publicKey = source.publicKey();
  if (publicKey !== undefined) return { data: { public_key: publicKey } };
  throw id === '' ? refused("keys haven't been configured yet") : noCaIn(id);
}

/**
 * Restores the CA from a loaded snapshot, replacing the current one.
 * @throws Refusal 400 if no snapshot is named, or it contains no CA; 404 for a snapshot that is not loaded.
 */
export async function recoverCa(
  store: AuthorityStore,
  snapshot: EngineParts['snapshot'],
  request: EngineRequest,
): Promise<undefined> {
  const id = request.headers['recover-snapshot-id'] ?? '';
  if (id === '') throw refused('missing recover snapshot id: send the header that names a loaded snapshot');
  if (!(await store.restore(openSnapshot(snapshot, id)))) throw noCaIn(id);
}

function openSnapshot(snapshot: EngineParts['snapshot'], id: string): Storage {
  const found = snapshot?.(id);
  if (found === undefined) throw new Refusal(404, `snapshot ${JSON.stringify(id)} is not loaded`);
  return found;
}

function noCaIn(id: string): Refusal {
  return refused(`snapshot ${JSON.stringify(id)} contains no CA information of this mount`);
}

/** The flag decides; without it, two keys are imported, and no keys are generated. */
function isGenerating(given: Values<typeof caFields>, data: Readonly<Record<string, Json>>): boolean {
  const flagged = Object.hasOwn(data, 'generate_signing_key') && data.generate_signing_key !== null;
  const keys = [given.public_key, given.private_key].filter((key) => key !== '').length;
  if (flagged && !given.generate_signing_key) return false;
  if (flagged && keys > 0) {
    throw refused('public_key and private_key must not be set when generate_signing_key is set to true');
  }
  if (keys === 1) {
    throw refused(
      'only one of public_key and private_key set; both must be set to use, or both must be blank to auto-generate',
    );
  }
  return keys === 0;
}

async function readPair(
  privateKey: string,
  publicKey: string,
): Promise<{ readonly authority: Authority; readonly comment: string }> {
  if (publicKey === '') throw refused('missing public_key');
  if (privateKey === '') throw refused('missing private_key');
  const authority = readable('Unable to parse private_key as an SSH private key', () => {
    return new Authority(parsePrivateKey(privateKey));
  });
  const { key, comment } = readable('Unable to parse public_key as an SSH public key', () => {
    return parsePublicKeyLine(publicKey);
  });
  if (!key.blob.equals(authority.blob) || !(await authority.isSound())) {
    throw refused('public_key and private_key do not match');
  }
  return { authority, comment };
}
