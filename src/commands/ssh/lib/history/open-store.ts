import type { ClientOptions } from '../../../../command/api.ts';
import type { Context } from '../../../../command/context.ts';
import type { RecordLocation } from './location.ts';
import type { RecordStore } from './store.ts';

/** Opens a record; nothing is sent. @param options of the client. @throws LanyardError usage: the service has no address */
export async function openStore(
  { store, path }: RecordLocation,
  { api }: Pick<Context, 'api'>,
  options: ClientOptions = {},
): Promise<RecordStore> {
  if (store === 'secrets')
    return (await import('./secrets-store.ts')).secretsStore(path, await api.secrets(options));
  const { registryStore } = await import('./registry-store.ts');
  return registryStore(path, await api.registry(options), api);
}
