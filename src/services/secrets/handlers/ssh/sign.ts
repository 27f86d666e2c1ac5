import * as s from '../../../core/schema/types.ts';
import { badRequest } from '../../errors.ts';
import {
  certificateOptionFields,
  certify,
  missingCaError,
  resolveCertificateOptions,
  shownCertificate,
} from '../../ssh/certificate-options.ts';
import { withParseError } from '../../ssh/errors.ts';
import { checkKeyLength } from '../../ssh/key-lengths.ts';
import { sshResource } from '../../ssh/mount.ts';
import { parsePublicKeyLine } from '../../ssh/public-key.ts';
import { ensureCa } from './ca.ts';

/** Without a CA, one is generated for a caller with `create` but not `update` (docs/protocol/ssh.md#sign-an-ssh-key). */
export const sign = sshResource({
  summary: 'Sign a public key with a role.',
  fields: { public_key: s.required(s.string('The public key.')), ...certificateOptionFields },
  returns: { write: s.named('Certificate', s.object(shownCertificate)) },
  async write(mount, request, roleName) {
    const { public_key: line } = request.input;
    const role = mount.role(roleName);
    if (role === undefined) throw badRequest(`Unknown role: ${roleName}`);
    if (line.trim() === '') throw badRequest('missing public_key');
    const { key } = withParseError('failed to parse public_key as SSH key', () => {
      return parsePublicKeyLine(line);
    });
    checkKeyLength(key, role.allowed_user_key_lengths);
    const options = resolveCertificateOptions({ role, roleName, request });
    const existingCa = mount.ca.current();
    const canGenerate = request.operation === 'create' && request.canUpdate !== true;
    if (existingCa === undefined && !canGenerate) throw missingCaError();
    const ca = existingCa ?? (await mount.runExclusive(() => ensureCa(mount.ca)));
    return {
      data: await certify(key, options, { ca, random: mount.random }),
      warnings: [
        ...options.warnings,
        ...(existingCa === undefined
          ? ['the mount had no CA; one was generated with the default settings']
          : []),
      ],
    };
  },
});
