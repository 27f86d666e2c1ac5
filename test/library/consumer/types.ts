// Compiled without the types of Node and of browsers: the declarations need no others.
import {
  type EmbeddedServices,
  LanyardError,
  type SchedulerVariable,
  scheduler,
  startServices,
} from 'lanyard';

export const read = async (path: string): Promise<SchedulerVariable | undefined> => {
  try {
    return (await scheduler({ profile: false }).readVariable({ path })).body;
  } catch (error) {
    if (error instanceof LanyardError && error.kind === 'not_found') return undefined;
    throw error;
  }
};

export const startSecrets = (): Promise<EmbeddedServices<'secrets'>> => startServices({ secrets: true });

export const startAll = (): Promise<EmbeddedServices> => startServices();

export async function start(): Promise<EmbeddedServices<'secrets' | 'box'>> {
  const services = await startServices({ secrets: { token: 'root' }, box: true });
  const token: string = services.box.token;
  // @ts-expect-error the registry was not started
  services.registry;
  // @ts-expect-error `mount` is required
  services.secrets.client().readKv({ path: token });
  // @ts-expect-error the scheduler has no such operation
  scheduler().readKv({});
  return services;
}
