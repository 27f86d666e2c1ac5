import {
  hasNoDefaultIssuer,
  isIssuerNameTaken,
  isMissingIssuer,
  isUnsupportedPath,
} from '../../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../../api/secrets.ts';
import { arg } from '../../../../command/command.ts';
import {
  conflict,
  insteadOf,
  isEmptyListError,
  isForbidden,
  isNotFound,
  LanyardError,
  notFound,
} from '../../../../errors.ts';

export const issuerArg = arg.text('ISSUER', 'name or ID of the issuer, or "default"', {
  completes: 'ssh-issuer',
});

export interface Issuer {
  readonly id: string;
  /** Empty: it has none. */
  readonly name: string;
  readonly publicKey: string;
}

/** An issuer in messages: `"new" (f4e15767-…)`. */
export const issuerText = ({ id, name }: Pick<Issuer, 'id' | 'name'>): string =>
  name === '' ? id : `"${name}" (${id})`;

/** Explains the errors of requests for issuers; `reference`: the name or ID that was sent. */
export const describeIssuerError =
  (mount: string, reference?: string) =>
  (error: unknown): never => {
    const facts = error instanceof LanyardError ? { ...error, hint: undefined } : {};
    if (isUnsupportedPath(error))
      throw new LanyardError('failure', `${mount}/ does not support issuers: the engine has a single CA`, {
        ...facts,
        hint: 'Use `lanyard ssh ca get`, `lanyard ssh ca create` or `lanyard ssh ca delete`.',
      });
    if (isMissingIssuer(error))
      throw notFound(`issuer "${reference}" not found in ${mount}/`, {
        ...facts,
        hint: `Run \`lanyard ssh issuer list --mount ${mount}\` for the existing issuers.`,
      });
    if (hasNoDefaultIssuer(error))
      throw notFound(`${mount}/ has no default issuer`, {
        ...facts,
        hint: `Run \`lanyard ssh issuer list --mount ${mount}\` and \`lanyard ssh issuer use\` to set one.`,
      });
    if (isIssuerNameTaken(error))
      throw conflict(`issuer "${reference}" already exists in ${mount}/`, {
        ...facts,
        hint: 'Choose another name, or delete the existing issuer.',
      });
    throw error;
  };

/** An issuer by name, ID or "default". @throws LanyardError not found; failure: the engine has a single CA. */
export async function readIssuer(secrets: SecretsClient, mount: string, reference: string): Promise<Issuer> {
  const reading = secrets.readIssuer({ mount, issuer: reference });
  const { data } = (await reading.catch(describeIssuerError(mount, reference))).body;
  return { id: data.issuer_id, name: data.issuer_name ?? '', publicKey: data.public_key };
}

/** The default issuer; undefined: the mount has none. */
export function readDefaultIssuer(secrets: SecretsClient, mount: string): Promise<Issuer | undefined> {
  return readIssuer(secrets, mount, 'default').catch(insteadOf(isNotFound, undefined));
}

/**
 * The roles that sign with one of these issuers (IDs, names or "default"), as text for a prompt. A role without an
 * issuer signs with the default one.
 */
export async function rolesText(
  secrets: SecretsClient,
  mount: string,
  references: readonly string[],
): Promise<string> {
  try {
    const { keys, key_info: info } = (await secrets.listRoles({ mount })).body.data;
    const roles = keys.filter((name) => {
      const role = info?.[name];
      const reference = role?.issuer_ref ? role.issuer_ref : 'default';
      return role?.key_type !== 'otp' && references.includes(reference);
    });
    return roles.length === 0 ? 'No roles sign with it.' : `Roles that sign with it: ${roles.join(', ')}.`;
  } catch (error) {
    if (isEmptyListError(error)) return 'No roles sign with it.';
    if (!isForbidden(error)) throw error;
    return 'The token cannot list the roles that sign with it.';
  }
}
