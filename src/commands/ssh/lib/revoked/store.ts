import type { ClientOptions } from '../../../../command/api.ts';
import { notFound } from '../../../../errors.ts';
import { fileStore } from './file-store.ts';
import { type ListStore, listCodec, type StoreContext, type StoredList } from './list.ts';
import { type ListLocation, locationText } from './location.ts';
import { registryStore } from './registry-store.ts';
import { secretsStore } from './secrets-store.ts';

/** The store of a location. @param options of the clients. */
export async function listStore(
  location: ListLocation,
  ctx: StoreContext,
  options: ClientOptions = {},
): Promise<ListStore> {
  const codec = await listCodec(location, ctx);
  switch (location.store) {
    case 'registry':
      return registryStore(await ctx.api.registry(options), location, codec, ctx);
    case 'secrets':
      return secretsStore(await ctx.api.secrets(options), location, codec, ctx);
    default:
      return fileStore(location, codec, ctx);
  }
}

/** A list that must exist. @param options of the clients. @throws LanyardError not found; usage: it is damaged. */
export async function requireList(
  location: ListLocation,
  ctx: StoreContext,
  options: ClientOptions = {},
): Promise<StoredList> {
  const found = await (await listStore(location, ctx, options)).read();
  if (found) return found;
  throw notFound(`no revocation list exists at ${locationText(location)}`, {
    hint: `Run \`lanyard ssh revoke --list ${locationText(location)}\` with what to revoke to create it.`,
  });
}
