import { isMissingMount, isWithoutCa } from '../../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../../api/secrets.ts';
import type { Mount } from '../../../../api/secrets-mounts.ts';
import { conflict, insteadOf, notFound, unlessNotFound } from '../../../../errors.ts';
import type { TrustedCa } from '../ca/bundle.ts';
import { caNotFoundError } from '../mount.ts';
import { readMountMark } from './marks.ts';
import { rotationMounts } from './paths.ts';
import type { MountRotation } from './types.ts';

/** A mount of a rotation. */
export interface SshMount extends Mount {
  readonly path: string;
  /** Undefined: the mount has no CA. */
  readonly ca: TrustedCa | undefined;
}

/** An SSH mount with its CA; undefined: it does not exist. @throws LanyardError conflict: another engine. */
export async function readSshMount(secrets: SecretsClient, path: string): Promise<SshMount | undefined> {
  const mount = (await unlessNotFound(secrets.readEngine({ path }), isMissingMount))?.data;
  if (!mount) return undefined;
  if (mount.type !== 'ssh')
    throw conflict(`${path}/ is a secrets engine of type ${mount.type}, not ssh`, {
      service: 'secrets',
      hint: 'A rotation needs this path: run `lanyard secrets mount move` to move the other engine.',
    });
  const key = await secrets.publicKey({ mount: path }).catch(insteadOf(isWithoutCa, undefined));
  const ca = key && { publicKey: key.body.trim(), mount: path, issuer: undefined, isDefault: false };
  return { ...mount, path, ca };
}

/** The rotation of a mount with one CA: other mounts have the new and the old one. */
export async function mountRotation(secrets: SecretsClient, mount: string): Promise<MountRotation> {
  const paths = rotationMounts(mount);
  const [current, next, former] = await Promise.all(
    [mount, paths.new, paths.old].map((path) => readSshMount(secrets, path)),
  );
  const common = { mount, kind: 'mounts' as const, oldValidUntil: undefined, rolesOfOld: [] };
  if (current && !former) {
    if (!current.ca) throw caNotFoundError(mount, { status: undefined, details: [] });
    const old = { ...current.ca, isDefault: true };
    if (!next) return { ...common, phase: 'none', old, new: undefined };
    return { ...common, phase: next.ca ? 'started' : 'starting', old, new: next.ca };
  }
  if (former?.ca && next?.ca && !current)
    return { ...common, phase: 'switching', old: former.ca, new: next.ca };
  if (former?.ca && current?.ca && !next) {
    const until = readMountMark(former.description ?? '');
    const cas = { old: former.ca, new: { ...current.ca, isDefault: true } };
    return { ...common, ...cas, phase: until ? 'switched' : 'switching', oldValidUntil: until };
  }
  const found = [current, next, former].flatMap((each) => (each ? [each] : []));
  if (found.length === 0)
    throw notFound(`secrets engine "${mount}/" not found`, {
      service: 'secrets',
      hint: 'Run `lanyard secrets mount list` for the existing secrets engines.',
    });
  throw conflict(`cannot tell the state of the rotation of ${mount}/`, {
    service: 'secrets',
    details: found.map(({ path, ca }) => `${path}/ exists${ca ? '' : ' without a CA'}`),
    hint: `A rotation has two mounts with a CA: disable the mount that is not needed, or run \`lanyard secrets mount move\` to move it to ${mount}.`,
  });
}
