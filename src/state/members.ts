import { createHash } from 'node:crypto';
import { isFailure, LanyardError } from '../errors.ts';
import type { ServiceName } from '../wire/services.ts';
import { holdsSecret } from './compare.ts';
import type { Kind, Live, Services } from './kind.ts';
import { findKind } from './kinds.ts';
import { canonicalText, normalize } from './normalize.ts';
import { memberId } from './order.ts';
import type { Member } from './record.ts';
import { type Origin, originText, readOrigin } from './targets.ts';

/** Where the services are, by service; an error: that could not be read. */
export type Origins = ReadonlyMap<ServiceName, Origin | LanyardError>;

/** Reads where services are. */
export async function readOrigins(names: Iterable<ServiceName>, services: Services): Promise<Origins> {
  const found = new Map<ServiceName, Origin | LanyardError>();
  for (const name of new Set(names))
    found.set(
      name,
      await readOrigin(name, services).catch((error: unknown) => {
        if (isFailure(error)) return error;
        throw error;
      }),
    );
  return found;
}

/** The origin of a service; undefined: it was not read, or could not be. */
export function originOf(origins: Origins, service: ServiceName): Origin | undefined {
  const origin = origins.get(service);
  return origin instanceof LanyardError ? undefined : origin;
}

/** Names a member in a record: the same object name in another cluster is another member. */
export const recordKey = (member: Member): string => `${originText(member.origin)} ${memberId(member)}`;

/**
 * Which members of a record are in the services that are used now.
 *
 * `here`: written to this very service. `byUid`: only if the object has the same ID: written to another address of a
 * service that has no cluster ID, or, of a kind with marks, by a version that did not record where. The others belong to
 * another cluster or namespace.
 */
export function placeOf(member: Member, origins: Origins): 'here' | 'byUid' | 'elsewhere' {
  const kind = findKind(member.kind);
  const origin = kind && originOf(origins, kind.service);
  if (!kind || !origin) return 'elsewhere';
  if (member.origin === undefined) return kind.mark ? 'byUid' : 'elsewhere';
  if (originText(member.origin) === originText(origin)) return 'here';
  return hasUniqueIds.has(kind.service) && isSameButAddress(member.origin, origin) ? 'byUid' : 'elsewhere';
}

/** Services without a cluster ID, whose objects have IDs or times of creation that no other cluster has. */
const hasUniqueIds: ReadonlySet<ServiceName> = new Set(['scheduler', 'accounts', 'box']);

const isSameButAddress = ({ address: one, ...first }: Origin, { address: other, ...second }: Origin) =>
  one !== undefined && other !== undefined && originText(first) === originText(second);

/** The members that are here, by `memberId`. @param liveOf the object that was read for an ID */
export function membersHere(
  members: readonly Member[],
  origins: Origins,
  liveOf: (id: string) => Live | undefined,
): ReadonlyMap<string, Member> {
  const found = new Map<string, Member>();
  for (const member of members) {
    const id = memberId(member);
    const place = placeOf(member, origins);
    const isSame = place === 'byUid' && member.uid !== undefined && liveOf(id)?.uid === member.uid;
    if (place === 'here' || (isSame && !found.has(id))) found.set(id, member);
  }
  return found;
}

/**
 * What a record keeps of an object that has neither a mark nor an ID, to recognize it: a digest of all its fields.
 * Undefined where a field may be a secret.
 */
export function digestOf(
  { schema, mark, holdsSecrets }: Pick<Kind, 'schema' | 'mark' | 'holdsSecrets'>,
  { spec, uid }: Pick<Live, 'spec' | 'uid'>,
): string | undefined {
  if (mark || uid !== undefined || holdsSecrets) return undefined;
  const stored = Object.keys(spec).flatMap((name) => schema.properties[name] ?? []);
  if (stored.some(holdsSecret)) return undefined;
  return createHash('sha256')
    .update(canonicalText(normalize(schema, spec) ?? {}))
    .digest('hex');
}
