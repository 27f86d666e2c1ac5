import { conflict, LanyardError, unlessNotFound } from '../../errors.ts';
import { isObject } from '../../wire/objects.ts';
import type { Identity, JsonObject, Live, ScopeField, Services } from '../kind.ts';

export const ownerField: ScopeField = { name: 'owner', description: 'User or organization of the box.' };
export const boxField: ScopeField = { name: 'box', description: 'Name of the box.' };

/** The name of a box in the paths of the registry, from the identity of a version or of what is in it. */
export const boxPathOf = ({ scope: { owner = '', box = '' } }: Identity) => ({ username: owner, name: box });

/** What a read of the box registry shows, without a version. */
export const boxLive = (
  found: { readonly created_at?: string | null | undefined },
  spec: JsonObject,
): Live => ({
  spec,
  version: '',
  ...(found.created_at && { uid: found.created_at }),
});

/** @throws LanyardError conflict: an object that is to be deleted contains others. */
export function rejectContents(what: string, contents: string, details: readonly string[]): void {
  if (details.length > 0)
    throw conflict(`cannot delete ${what}: it has ${contents}`, {
      service: 'box',
      details,
      hint: `Delete its ${contents} first.`,
    });
}

/** A text of a document; empty: it is missing. */
export const textOf = (spec: JsonObject, name: string): string => String(spec[name] ?? '');

/** The owner of the token. @throws LanyardError failure: the registry does not say who that is. */
async function tokenOwner(services: Services): Promise<string> {
  const { body } = await (await services.box()).checkToken({});
  const user = isObject(body) ? (body as { readonly user?: { readonly username?: string } }).user : undefined;
  if (user?.username) return user.username;
  throw new LanyardError('failure', 'cannot list boxes: the box registry does not say whose token this is', {
    service: 'box',
  });
}

/**
 * The boxes of the owner of the token, and of the owners of other objects: the registry has no list of owners.
 *
 * @param known identities with an owner.
 */
export async function listBoxes(
  services: Services,
  known: readonly Identity[],
): Promise<readonly { readonly owner: string; readonly name: string }[]> {
  const box = await services.box();
  const owners = new Set([await tokenOwner(services), ...known.flatMap(({ scope }) => scope.owner ?? [])]);
  const lists = await Promise.all(
    [...owners].map(async (owner) => {
      const organization = await unlessNotFound(box.readOrganization({ username: owner }));
      return (organization?.boxes ?? []).map(({ name }) => ({ owner, name }));
    }),
  );
  return lists.flat();
}

/** The versions of all boxes that {@link listBoxes} returns, with the providers of every architecture. */
export async function listVersions(services: Services, known: readonly Identity[]) {
  const box = await services.box();
  const boxes = await listBoxes(services, known);
  const lists = await Promise.all(
    boxes.map(async ({ owner, name }) => {
      const at = { username: owner, name };
      // A registry without architectures has only the first version of the API.
      const body =
        (await unlessNotFound(box.readArchitectures(at))) ?? (await unlessNotFound(box.readBox(at)));
      return (body?.versions ?? []).map((version) => ({ scope: { owner, box: name }, version }));
    }),
  );
  return lists.flat();
}
