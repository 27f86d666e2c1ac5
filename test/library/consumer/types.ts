// Compiled without the types of Node and of browsers: the declarations need no others.
import {
  type EmbeddedServices,
  LanyardError,
  registry,
  type SchedulerVariable,
  scheduler,
  startServices,
} from 'lanyard';

export const read = async (path: string): Promise<SchedulerVariable | undefined> => {
  try {
    return (await scheduler({ profile: false }).getVariable({ path })).body;
  } catch (error) {
    if (error instanceof LanyardError && error.kind === 'not_found') return undefined;
    throw error;
  }
};

/** Every write of the registry has a typed body. */
export async function writeRegistry(): Promise<void> {
  const client = registry();
  const { ID: id } = (await client.createPolicy({ Name: 'read', Rules: 'key_prefix "" { policy = "read" }' }))
    .body;
  await client.updatePolicy({ id, Name: 'read', Description: 'reads keys' });
  const token = await client.createToken({ Policies: [{ ID: id }], ExpirationTTL: '1h' });
  await client.updateToken({ id: token.body.AccessorID, Description: 'job' });
  await client.cloneToken({ id: token.body.AccessorID, Description: 'copy' });
  const role = await client.createRole({ Name: 'reader', Policies: [{ Name: 'read' }] });
  await client.updateRole({ id: role.body.ID, Name: 'reader' });
  await client.createAuthMethod({ Name: 'ci', Type: 'jwt', Config: { JWKSURL: 'https://example.com' } });
  await client.updateAuthMethod({ name: 'ci', Type: 'jwt', MaxTokenTTL: '1h' });
  const rule = await client.createBindingRule({ AuthMethod: 'ci', BindType: 'role', BindName: 'reader' });
  await client.updateBindingRule({
    id: rule.body.ID,
    AuthMethod: 'ci',
    BindType: 'policy',
    BindName: 'read',
  });
  await client.registerService({ Name: 'web', Port: 80, Check: { TTL: '10s' } });
  await client.putEntry({ Kind: 'service-defaults', Name: 'web', Protocol: 'http', cas: 0 });
  const query = await client.createQuery({ Name: 'web', Service: { Service: 'web' }, dc: 'dc1' });
  await client.updateQuery({ query: query.body.ID, Service: { Service: 'web', OnlyPassing: true } });
  // @ts-expect-error `Name` is required
  await client.createPolicy({ Rules: '' });
  // @ts-expect-error `prefix` is required
  await client.deleteKeys({});
  // @ts-expect-error a prefix is a string
  await client.deleteKeys({ prefix: undefined });
  // @ts-expect-error the body is required
  await client.createRole();
}

export const startSecrets = (): Promise<EmbeddedServices<'secrets'>> => startServices({ secrets: true });

export const startAll = (): Promise<EmbeddedServices> => startServices();

export async function start(): Promise<EmbeddedServices<'secrets' | 'box'>> {
  const services = await startServices({ secrets: { token: 'root' }, box: true });
  const token: string = services.box.token;
  // @ts-expect-error the registry was not started
  services.registry;
  // @ts-expect-error `mount` is required
  services.secrets.client().getKv({ path: token });
  // @ts-expect-error the scheduler has no such operation
  scheduler().getKv({});
  return services;
}
