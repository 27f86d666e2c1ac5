import { isMissingIssuer, isUnsupportedPath } from '../../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../../api/secrets.ts';
import { insteadOf, isKind, isNotFound, LanyardError, listOrEmpty, notFound } from '../../../../errors.ts';
import { describeMissingCa } from '../mount.ts';
import { rotationMounts } from '../rotate/paths.ts';
import { type Issuer, issuerText } from './issuer.ts';

/** A CA whose signatures hosts and clients must accept. */
export interface TrustedCa {
  /** Its public key, one line as in authorized_keys, without a newline. */
  readonly publicKey: string;
  /** The mount that has it. During a rotation on a service with one CA per mount, this can be another mount. */
  readonly mount: string;
  /** Undefined: the mount has one CA, or name and ID cannot be read without a token. */
  readonly issuer: Pick<Issuer, 'id' | 'name'> | undefined;
  /** Whether roles of the mount sign with it by default. */
  readonly isDefault: boolean;
}

/** The CAs of a mount, the default one first. */
export interface CaBundle {
  readonly mount: string;
  readonly cas: readonly TrustedCa[];
  /** What could not be read, for messages: "the other issuers of ssh/: permission denied (403)". Empty: the bundle is complete. */
  readonly missing: readonly string[];
}

/** A CA in messages: `issuer "2026" (344765d0-…) of ssh/`, `the CA of ssh/`. */
export const caText = ({ issuer, isDefault, mount }: Omit<TrustedCa, 'publicKey'>): string =>
  issuer
    ? `issuer ${issuerText(issuer)} of ${mount}/`
    : isDefault
      ? `the CA of ${mount}/`
      : `the CA in ${mount}/`;

/**
 * Reads every CA that hosts and clients of a mount must trust: all issuers, or the CA of the mount and those of a
 * rotation. Only the list of issuers needs a token.
 *
 * @throws LanyardError not found: the mount has no CA; any error of a request, except a missing permission to list.
 */
export async function readCaBundle(secrets: SecretsClient, mount: string): Promise<CaBundle> {
  const listed = await listIssuers(secrets, mount);
  if (listed.cas.length > 0) return { mount, ...listed };
  const { new: next, old } = rotationMounts(mount);
  const [current, ...others] = await Promise.all([
    readMountCa(secrets, mount, true).catch((error: unknown) => ({ error })),
    ...[next, old].map((other) => readMountCa(secrets, other, false).catch(insteadOf(isAbsent, undefined))),
  ]);
  const cas = others.filter((ca) => ca !== undefined);
  if ('error' in current) {
    // The mount itself is absent for a moment while the two CAs are exchanged.
    if (cas.length < 2 || !isAbsent(current.error)) return describeMissingCa(mount)(current.error);
  } else cas.unshift(current);
  const isPartial = listed.missing.length > 0 && (await hasIssuers(secrets, mount));
  return { mount, cas, missing: isPartial ? listed.missing : [] };
}

/** One CA of a mount by the name or ID of its issuer, without a token. @throws LanyardError not found. */
export async function readTrustedIssuer(
  secrets: SecretsClient,
  mount: string,
  reference: string,
): Promise<TrustedCa> {
  const { body } = await readIssuerKey(secrets, mount, reference).catch((error: unknown) => {
    // Without a token, services respond to a path that does not exist as to a missing permission.
    const isUnknown = isMissingIssuer(error) || isUnsupportedPath(error) || isAbsent(error);
    if (!isUnknown) throw error;
    throw notFound(`issuer "${reference}" not found in ${mount}/`, {
      ...(error instanceof LanyardError ? error : {}),
      hint: `Run \`lanyard ssh issuer list --mount ${mount}\` for the existing issuers.`,
    });
  });
  const issuer = { id: reference, name: '' };
  return { publicKey: body.trim(), mount, issuer, isDefault: reference === 'default' };
}

const isAbsent = isKind('not_found', 'forbidden', 'unauthenticated');

/** The CAs of all issuers; none: the service does not have issuers, or they cannot be listed. */
async function listIssuers(secrets: SecretsClient, mount: string): Promise<Omit<CaBundle, 'mount'>> {
  try {
    const { keys, key_info: info } = (await listOrEmpty(secrets.listIssuers({ mount }))).body.data;
    const issuers = keys.map((id) => ({ id, ...info?.[id] }));
    const cas = issuers.flatMap(
      ({ id, issuer_name: name = '', is_default: isDefault = false, public_key }) =>
        public_key === undefined
          ? []
          : [{ publicKey: public_key.trim(), mount, issuer: { id, name }, isDefault }],
    );
    return {
      cas: cas.toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault)),
      missing: issuers
        .filter(({ public_key }) => public_key === undefined)
        .map(({ id }) => `issuer ${id} of ${mount}/: the list of issuers does not have its key`),
    };
  } catch (error) {
    if (isNotFound(error)) return { cas: [], missing: [] };
    // Also a proxy that does not know the method LIST: the key of the default issuer is readable without it.
    if (error instanceof LanyardError && error.status !== undefined)
      return { cas: [], missing: [`the other issuers of ${mount}/: ${error.message}`] };
    throw error;
  }
}

/** The public key of an issuer, without a token (docs/protocol/ssh.md#issuers). */
const readIssuerKey = (secrets: SecretsClient, mount: string, reference: string) =>
  secrets.publicKey({ mount: `${mount}/issuer/${reference}` });

async function readMountCa(secrets: SecretsClient, mount: string, isDefault: boolean): Promise<TrustedCa> {
  const { body } = await secrets.publicKey({ mount });
  return { publicKey: body.trim(), mount, issuer: undefined, isDefault };
}

/** Whether the mount is of a product with issuers, which serves the key of each without a token. */
const hasIssuers = (secrets: SecretsClient, mount: string): Promise<boolean> =>
  readIssuerKey(secrets, mount, 'default').then(
    () => true,
    insteadOf((error) => error instanceof LanyardError && error.status !== undefined, false),
  );
