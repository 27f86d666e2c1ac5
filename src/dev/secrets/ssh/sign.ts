import type { EngineRequest, EngineResponse } from '../engine.ts';
import { ignoredWarnings, readFields, text } from './fields.ts';
import { checkKeyLength } from './key-lengths.ts';
import { parsePublicKeyLine } from './public-key.ts';
import { readable, refused } from './refusals.ts';
import { certify, noAuthority, type SigningMount, settleTerms, termFields } from './terms.ts';

const signFields = { public_key: text(), ...termFields };

/**
 * Signs a public key as the role permits (docs/protocol/ssh.md#sign-an-ssh-key). If the mount has no CA, one
 * with the defaults of config/ca is generated for a caller with `create` but not `update`; a caller with
 * `update` gets an error.
 * @throws Refusal 400; 500 if there is no CA and the caller may update.
 */
export async function signKey(
  mount: SigningMount,
  roleName: string,
  request: EngineRequest,
): Promise<EngineResponse> {
  const asked = readFields(signFields, request.data);
  const role = mount.role(roleName);
  if (role === undefined) throw refused(`Unknown role: ${roleName}`);
  if (asked.public_key.trim() === '') throw refused('missing public_key');
  const { key } = readable('failed to parse public_key as SSH key', () => {
    return parsePublicKeyLine(asked.public_key);
  });
  checkKeyLength(key, role.allowed_user_key_lengths);
  const terms = settleTerms({ role, roleName, asked, request });
  const found = mount.authority();
  const mayMake = request.operation === 'create' && request.mayUpdate !== true;
  if (found === undefined && !mayMake) throw noAuthority();
  const authority = found ?? (await mount.makeAuthority());
  return {
    data: await certify(key, terms, { authority, random: mount.random }),
    warnings: [
      ...ignoredWarnings(signFields, ['name'], request.data),
      ...terms.warnings,
      ...(found === undefined ? ['the mount had no CA; one was generated with the default settings'] : []),
    ],
  };
}
