import type { SecretsClient } from '../../../../api/secrets.ts';
import { conflict, listOrEmpty, notFound } from '../../../../errors.ts';
import { type Issuer, issuerText } from '../ca/issuer.ts';
import { readIssuerMark } from './marks.ts';
import { issuerOf } from './roles.ts';
import type { IssuerCa, IssuerRotation } from './types.ts';

type IssuerList = Awaited<ReturnType<SecretsClient['listIssuers']>>['body']['data'];

interface ListedIssuer extends Issuer {
  readonly isDefault: boolean;
}

/** The rotation of a mount with several issuers: the name of the new one says which one it replaces. */
export async function issuerRotation(
  secrets: SecretsClient,
  mount: string,
  { keys, key_info: info }: IssuerList,
): Promise<IssuerRotation> {
  const issuers = keys.map((id): ListedIssuer => {
    const { issuer_name: name = '', is_default: isDefault = false, public_key = '' } = info?.[id] ?? {};
    return { id, name, isDefault, publicKey: public_key.trim() };
  });
  const current = issuers.find(({ isDefault }) => isDefault);
  const pairs = issuers.flatMap((issuer) => {
    const mark = readIssuerMark(issuer.name);
    const old = issuers.find(({ id }) => id === mark?.oldId);
    return old ? [{ issuer, old, until: mark?.until }] : [];
  });
  const [pair, another] = pairs;
  const common = { mount, kind: 'issuers' as const };
  if (another) throw severalRotations(mount, pairs);
  if (!pair) {
    if (!current) throw noDefaultError(mount);
    const old = trusted(mount, current);
    return { ...common, phase: 'none', old, new: undefined, oldValidUntil: undefined, rolesOfOld: [] };
  }
  const { issuer, old, until } = pair;
  if (current && current !== issuer && current !== old) throw otherDefaultError(mount, current, pair);
  const cas = { ...common, old: trusted(mount, old), new: trusted(mount, issuer) };
  const rolesOfOld = await rolesWith(secrets, mount, old);
  if (current === old) return { ...cas, phase: 'started', oldValidUntil: undefined, rolesOfOld };
  const isSwitched = current === issuer && until !== undefined && rolesOfOld.length === 0;
  return {
    ...cas,
    phase: isSwitched ? 'switched' : 'switching',
    oldValidUntil: isSwitched ? until : undefined,
    rolesOfOld,
  };
}

/** The roles that name an issuer by its name or ID. */
async function rolesWith(
  secrets: SecretsClient,
  mount: string,
  { id, name }: Pick<Issuer, 'id' | 'name'>,
): Promise<readonly string[]> {
  const { keys, key_info: info } = (await listOrEmpty(secrets.listRoles({ mount }))).body.data;
  return keys.filter((role) => {
    const reference = issuerOf(info?.[role] ?? {});
    return reference !== undefined && (reference === id || reference === name);
  });
}

const trusted = (mount: string, { publicKey, isDefault, ...issuer }: ListedIssuer): IssuerCa => ({
  publicKey,
  mount,
  issuer: { id: issuer.id, name: issuer.name },
  isDefault,
});

const noDefaultError = (mount: string) =>
  notFound(`${mount}/ has no default issuer`, {
    service: 'secrets',
    hint: `Run \`lanyard ssh issuer list --mount ${mount}\` and \`lanyard ssh issuer use\` to set one.`,
  });

interface Pair {
  readonly issuer: Issuer;
  readonly old: Issuer;
}

const severalRotations = (mount: string, pairs: readonly Pair[]) =>
  conflict(`${mount}/ has ${pairs.length} issuers that replace others`, {
    service: 'secrets',
    details: pairs.map(({ issuer, old }) => `${issuerText(issuer)} replaces ${issuerText(old)}`),
    hint: `Run \`lanyard ssh issuer delete ISSUER --mount ${mount}\` for the issuer that is not needed.`,
  });

const otherDefaultError = (mount: string, current: Issuer, { issuer, old }: Pair) =>
  conflict(`the default issuer of ${mount}/ is not part of its rotation`, {
    service: 'secrets',
    details: [
      `Default issuer: ${issuerText(current)}`,
      `Rotation: from ${issuerText(old)} to ${issuerText(issuer)}`,
    ],
    hint: `Run \`lanyard ssh issuer use ${old.id} --mount ${mount}\` to continue the rotation, or delete issuer ${issuer.id} to end it.`,
  });
