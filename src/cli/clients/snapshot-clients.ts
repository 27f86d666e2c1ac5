import type { StopStream } from '../../api/dry-run.ts';
import type { Endpoint, TransportOptions } from '../../api/endpoint.ts';
import type { Context } from '../../command/context.ts';
import type { ServiceName } from '../../wire/services.ts';

interface Target {
  readonly endpoint: Endpoint;
  readonly options: TransportOptions & { readonly stop?: StopStream };
}

/**
 * The clients of snapshots, whose bodies are streams.
 *
 * @param targetOf where the requests to a service are sent.
 * @param onRestored called after each restored snapshot.
 */
export const snapshotClients = (
  targetOf: (service: ServiceName) => Promise<Target>,
  onRestored: () => void,
): Pick<Context['api'], 'snapshots' | 'registrySnapshots'> => ({
  snapshots: async (service) => {
    const [{ endpoint, options }, { snapshots }] = await Promise.all([
      targetOf(service),
      import('../../api/snapshots/snapshots.ts'),
    ]);
    const { save, restore } = snapshots(service, endpoint, options);
    return {
      save,
      restore: async (...given) => {
        const state = await restore(...given);
        onRestored();
        return state;
      },
    };
  },
  registrySnapshots: async () => {
    const [{ endpoint, options }, { registrySnapshots }] = await Promise.all([
      targetOf('registry'),
      import('../../api/snapshots/registry-snapshots.ts'),
    ]);
    const { save, restore } = registrySnapshots(endpoint, options);
    return {
      save,
      restore: async (...given) => {
        await restore(...given);
        onRestored();
      },
    };
  },
});
