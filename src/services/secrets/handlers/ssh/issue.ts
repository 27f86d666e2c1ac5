import type { KeyObject } from 'node:crypto';
import * as s from '../../../core/schema/types.ts';
import { badRequest, orBadRequest } from '../../errors.ts';
import {
  certificateOptionFields,
  certify,
  missingCaError,
  resolveCertificateOptions,
  shownCertificate,
} from '../../ssh/certificate-options.ts';
import { curves } from '../../ssh/curves.ts';
import { generateEd25519, generateOnCurve, generateRsa } from '../../ssh/generate-key.ts';
import { checkNewKeyLength } from '../../ssh/key-lengths.ts';
import { sshResource } from '../../ssh/mount.ts';
import { formatOpenssh } from '../../ssh/openssh-key.ts';
import { publicBlob } from '../../ssh/private-key.ts';
import { parsePublicKey } from '../../ssh/public-key.ts';

interface KeyPlan {
  /** As OpenSSH writes it. */
  readonly type: string;
  readonly bits: number;
  generate(): Promise<KeyObject>;
  /** The private key as a file for `ssh` and `ssh-keygen`. */
  format(key: KeyObject): string;
}

/** Generates and signs a key pair, which is not stored, after all checks (docs/protocol/ssh.md#issue-a-key-pair). */
export const issue = sshResource({
  summary: 'Generate a key pair and sign its public key with a role.',
  fields: {
    key_type: s.string('`rsa` (the default), `ed25519` or `ec`.', { default: 'rsa' }),
    key_bits: s.integer('Size of the key; 0: the default of its type.'),
    ...certificateOptionFields,
  },
  returns: {
    write: s.object({ ...shownCertificate, private_key: s.string(), private_key_type: s.string() }),
  },
  async write(mount, request, roleName) {
    const { key_type: keyType, key_bits: bits } = request.input;
    const role = orBadRequest(mount.role(roleName), `unknown role: ${roleName}`);
    if (role.key_type !== 'ca')
      throw badRequest(`role key type '${role.key_type}' not allowed to issue key pairs`);
    const plan = planKey(keyType, bits);
    checkNewKeyLength(plan, role.allowed_user_key_lengths);
    const options = resolveCertificateOptions({ role, roleName, request });
    const ca = mount.ca.current();
    if (ca === undefined) throw missingCaError();
    const privateKey = await plan.generate();
    const key = parsePublicKey(publicBlob(privateKey));
    const certificate = await certify(key, options, { ca, random: mount.random });
    return {
      data: { ...certificate, private_key: plan.format(privateKey), private_key_type: keyType },
      warnings: options.warnings,
    };
  },
});

const rsaSizes = [2048, 3072, 4096];

/** @param bits 0 for the default of the type, the smallest size. */
function planKey(type: string, bits: number): KeyPlan {
  switch (type) {
    case 'rsa': {
      const size = bits || 2048;
      if (!rsaSizes.includes(size))
        throw badRequest(`key_bits of an rsa key must be 2048, 3072 or 4096, not ${bits}`);
      return { type: 'ssh-rsa', bits: size, generate: () => generateRsa(size), format: formatPem('pkcs1') };
    }
    case 'ec': {
      const curve = curves.find((candidate) => candidate.bits === (bits || 256));
      if (curve === undefined) throw badRequest(`key_bits of an ec key must be 256, 384 or 521, not ${bits}`);
      const { keyType, bits: size } = curve;
      return { type: keyType, bits: size, generate: () => generateOnCurve(curve), format: formatPem('sec1') };
    }
    case 'ed25519':
      return { type: 'ssh-ed25519', bits: 256, generate: generateEd25519, format: formatOpenssh };
    default:
      throw badRequest(`unknown ssh key pair algorithm: ${type}; key_type must be rsa, ec or ed25519`);
  }
}

function formatPem(type: 'pkcs1' | 'sec1'): (key: KeyObject) => string {
  return (key) => key.export({ type, format: 'pem' }).toString();
}
