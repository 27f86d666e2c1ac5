import * as s from '../../../core/schema/types.ts';
import type { Storage } from '../../../core/store/storage.ts';
import type { EngineRequest, EngineResponse } from '../../engine.ts';
import { badRequest, orNotFound, SecretsError } from '../../errors.ts';
import type { InputOf } from '../../resource.ts';
import { orEmpty, text } from '../../returns.ts';
import { CaKeyPair, CaStore, generateCaKeyPair } from '../../ssh/ca.ts';
import { internalError, withParseError } from '../../ssh/errors.ts';
import { type SshMount, sshResource } from '../../ssh/mount.ts';
import { parsePrivateKey } from '../../ssh/private-key.ts';
import { parsePublicKeyLine } from '../../ssh/public-key.ts';

const keyDefaults = { type: 'ssh-rsa', bits: 0 };

const caFields = {
  private_key: s.string('The private key to import, instead of generating one.'),
  public_key: s.string('The public key to import, instead of generating one.'),
  generate_signing_key: s.optional(s.boolean('Whether to generate a key pair (default true).')),
  key_type: s.string('Type of a generated key (default `ssh-rsa`).', { default: keyDefaults.type }),
  key_bits: s.integer('Size of a generated key; 0: the default of its type.'),
  managed_key_name: s.string('The name of a managed key.'),
  managed_key_id: s.string('The ID of a managed key.'),
};
type CaInput = InputOf<typeof caFields>;

const shownCa = s.object({ public_key: s.string() });

export const ca = sshResource({
  summary: 'Show the public key of the CA; set, recover or delete its key pair.',
  query: { read_snapshot_id: s.string('The ID of a loaded snapshot.') },
  fields: caFields,
  returns: { read: shownCa, write: orEmpty(shownCa) },
  /** The public key of this mount, or of a snapshot named by `read_snapshot_id`. */
  read(mount, { input: { read_snapshot_id: id } }) {
    const source = id === '' ? mount.ca : new CaStore(openSnapshot(mount, id));
    const key = source.publicKey();
    if (key !== undefined) return { data: { public_key: key } };
    throw id === '' ? badRequest("keys haven't been configured yet") : missingSnapshotCaError(id);
  },
  write: (mount, { input }) => mount.runExclusive(() => configureCa(mount.ca, input)),
  recover: (mount, request) => mount.runExclusive(() => recoverCa(mount, request)),
  delete: (mount) => mount.runExclusive(() => mount.ca.remove()),
});

export const publicKey = sshResource({
  summary: 'Show the public key of the CA as text; requires no token.',
  returns: { read: text('The public key, in the format of OpenSSH.') },
  read(mount) {
    const body = orNotFound(mount.ca.publicKey());
    return { text: { contentType: 'text/plain', body } };
  },
});

/** Generates a key pair, whose public key is returned, or imports one. @throws SecretsError 400; 500: unknown `key_type` */
async function configureCa(store: CaStore, input: CaInput): Promise<EngineResponse | undefined> {
  if (store.publicKey() !== undefined)
    throw badRequest('keys are already configured; delete them before reconfiguring');
  if (input.managed_key_name !== '' || input.managed_key_id !== '')
    throw badRequest('managed keys are not available: no managed key is configured in this service');
  if (!isGenerating(input)) {
    const { ca, comment } = await readKeyPair(input.private_key, input.public_key);
    await store.put(ca, comment === '' ? `${ca.publicKeyLine}\n` : `${ca.publicKeyLine} ${comment}\n`);
    return undefined;
  }
  const generated = await generateCa(store, input.key_type, input.key_bits);
  return { data: { public_key: generated.publicKey } };
}

/** The existing CA, or a new one with the defaults. */
export async function ensureCa(store: CaStore): Promise<CaKeyPair> {
  return store.current() ?? (await generateCa(store, keyDefaults.type, keyDefaults.bits)).ca;
}

async function generateCa(store: CaStore, type: string, bits: number) {
  const ca = await generateCaKeyPair(type, bits);
  if (ca === undefined) throw internalError(`unknown ssh key pair algorithm: ${type}`);
  const publicKey = `${ca.publicKeyLine}\n`;
  await store.put(ca, publicKey);
  return { ca, publicKey };
}

/** Replaces the CA by one of a snapshot. @throws SecretsError 400: none named, or without a CA; 404: not loaded */
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
function isGenerating(input: CaInput): boolean {
  const isExplicit = input.generate_signing_key !== undefined;
  const keys = [input.public_key, input.private_key].filter((key) => key !== '').length;
  if (isExplicit && !input.generate_signing_key) return false;
  if (isExplicit && keys > 0)
    throw badRequest('public_key and private_key must not be set when generate_signing_key is set to true');
  if (keys === 1) {
    throw badRequest(
      'only one of public_key and private_key set; both must be set to use, or both must be blank to auto-generate',
    );
  }
  return keys === 0;
}

async function readKeyPair(privateKey: string, publicKey: string) {
  if (publicKey === '') throw badRequest('missing public_key');
  if (privateKey === '') throw badRequest('missing private_key');
  const ca = withParseError('Unable to parse private_key as an SSH private key', () => {
    return new CaKeyPair(parsePrivateKey(privateKey));
  });
  const { key, comment } = withParseError('Unable to parse public_key as an SSH public key', () => {
    return parsePublicKeyLine(publicKey);
  });
  if (!key.blob.equals(ca.blob) || !(await ca.isConsistent()))
    throw badRequest('public_key and private_key do not match');
  return { ca, comment };
}
