// A plain program of a user of the package: compiled as an ES module and as CommonJS, and run on several versions of Node.
import {
  accounts,
  box,
  type EmbeddedServices,
  formatJson,
  LanyardError,
  registry,
  scheduler,
  secrets,
  startServices,
} from 'lanyard';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';

async function failure(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'no error';
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    const { kind, exitCode, message, details } = error;
    return [kind, exitCode, message, ...details].join(' | ');
  }
}

async function results(services: EmbeddedServices): Promise<Record<string, unknown>> {
  const only = { env: {}, profile: false } as const;
  const secretsClient = secrets({
    ...only,
    address: services.secrets.address,
    token: () => services.secrets.token,
  });
  await secretsClient.putKv({ mount: 'secret', path: 'app', data: { user: 'app' }, options: { cas: 0 } });
  const kv = await secretsClient.getKv({ mount: 'secret', path: 'app' });
  await secretsClient.createCa({ mount: 'ssh', generate_signing_key: true, key_type: 'ed25519' });
  await secretsClient.putRole({
    mount: 'ssh',
    role: 'team',
    key_type: 'ca',
    allow_user_certificates: true,
    allowed_users: '*',
  });
  const signed = await secretsClient.signKey({
    mount: 'ssh',
    role: 'team',
    public_key: key,
    valid_principals: 'app',
  });
  const registryClient = registry({ ...only, address: services.registry.address });
  await registryClient.putKey({ key: 'app', content: new Uint8Array([65]), flags: '9007199254740993' });
  const [entry] = (await registryClient.getKey({ key: 'app' })).body;
  const schedulerClient = scheduler({ ...only, address: services.scheduler.address });
  await schedulerClient.putVariable({ path: 'app', Items: { limit: '1' } });
  const accountsClient = accounts({
    ...only,
    address: services.accounts.address,
    token: services.accounts.token,
  });
  const methods = await accountsClient.listAuthMethods({ scope_id: 'global' });
  const listed = await accountsClient.listAccounts({ auth_method_id: methods.body.items?.[0]?.id ?? '' });
  const controller = new AbortController();
  const waiting = failure(
    services.registry.client({ signal: controller.signal }).getKey({
      key: 'app',
      index: String(entry?.ModifyIndex),
      wait: '5m',
    }),
  );
  controller.abort();
  const wrongToken = 'hvs.CAESIKnvbK9s0mS3cr3tT0k3nV4lu3';
  return {
    kv: kv.body.data.data,
    certificate: signed.body.data.signed_key.split(' ')[0],
    key: formatJson({ value: entry?.Value, flags: entry?.Flags }),
    conflict: await failure(schedulerClient.putVariable({ path: 'app', Items: { limit: '2' }, cas: '0' })),
    accounts: listed.body.items?.map(({ attributes }) => attributes?.login_name),
    missing: await failure(
      box({ ...only, address: services.box.address, token: services.box.token }).getBox({
        username: 'dev',
        name: 'missing',
      }),
    ),
    aborted: await waiting,
    unreachable: await failure(
      registry({ ...only, address: 'http://127.0.0.1:1', maxRetries: 0 }).getAgent(),
    ),
    redacted: await failure(
      secrets({ ...only, address: services.secrets.address, token: wrongToken }).read({
        path: `secret/data/${wrongToken}`,
      }),
    ),
  };
}

async function main(): Promise<void> {
  // Node opens it when it closes a socket.
  void process.stderr;
  const before = process.getActiveResourcesInfo();
  const services: EmbeddedServices = await startServices();
  const found = await results(services);
  await services.stop();
  // The system closes sockets after the call that closes them.
  for (let turn = 0; turn < 100 && process.getActiveResourcesInfo().length > before.length; turn++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  const open = process.getActiveResourcesInfo().filter((name) => !before.includes(name));
  process.stdout.write(JSON.stringify({ ...found, open }));
}

void main();
