import { join } from 'node:path';
import type { Retry } from '../api/operation.ts';
import type { Io } from '../io/io.ts';
import { resolvePath } from '../io/resolve-path.ts';
import type { AnyCommand } from './command.ts';
import type { Context, EditedObject, Files, Host } from './context.ts';
import { dryRunChild, dryRunCredentials, dryRunFiles, dryRunProfiles } from './dry-run.ts';
import type { Globals } from './globals.ts';
import { lazy } from './lazy.ts';
import { version } from './version.ts';

/** The folder of the configuration: `LANYARD_CONFIG_DIR`, else where the system keeps such things. */
function configDirectory(host: Pick<Host, 'cwd' | 'env' | 'home' | 'platform'>): string {
  const { env, home, platform } = host;
  if (env.LANYARD_CONFIG_DIR) return resolvePath(host, env.LANYARD_CONFIG_DIR);
  if (platform === 'win32' && env.APPDATA) return join(env.APPDATA, 'lanyard');
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'lanyard');
}

/**
 * Wires the parts that a command may touch. Each line says what it depends on; nothing is loaded before it
 * is asked for.
 *
 * @param onSuccess told of each operation that a service accepted, by what it means to send it again.
 */
export function compose(
  host: Host,
  globals: Globals,
  command: AnyCommand,
  io: Io,
  output: Pick<Context, 'show' | 'showPartial' | 'streamList' | 'dryRunResult'>,
  onSuccess: (retry: Retry) => void,
): Context {
  const directory = configDirectory(host);
  // A rehearsal changes nothing here either, whatever a command does.
  const isDryRun = globals.dryRun || globals.curl;
  // The profile store depends on the folder only.
  const profiles = lazy(async () => {
    const store = (await import('../config/profiles.ts')).profiles(directory);
    return isDryRun ? dryRunProfiles(store) : store;
  });
  // The credential store depends on the folder, and on the environment for the keyring.
  const credentials = lazy(async () => {
    const store = (await import('../config/credentials.ts')).credentials({
      directory,
      env: host.env,
      keyring: host.keyring,
    });
    return isDryRun ? dryRunCredentials(store) : store;
  });
  const profileName = globals.profile ?? (host.env.LANYARD_PROFILE || undefined);
  // The services depend on flags, environment, profiles and credentials.
  const api = lazy(async () =>
    (await import('./api-factory.ts')).createApi({
      host,
      globals,
      command,
      io,
      profiles,
      credentials,
      profileName,
      onSuccess,
    }),
  );
  const lazyApi: Context['api'] = {
    settings: async (service) => (await api()).settings(service),
    environment: async (service) => (await api()).environment(service),
    secrets: async () => (await api()).secrets(),
    secretsWith: async (token) => (await api()).secretsWith(token),
    secretsWithGracePeriod: async () => (await api()).secretsWithGracePeriod(),
    registry: async () => (await api()).registry(),
    registryWith: async (token) => (await api()).registryWith(token),
    box: async () => (await api()).box(),
    accounts: async () => (await api()).accounts(),
    accountsWith: async (token) => (await api()).accountsWith(token),
    accountsTokenId: async () => (await api()).accountsTokenId(),
    scheduler: async () => (await api()).scheduler(),
    transfer: async (service) => (await api()).transfer(service),
    call: async (service, call) => (await api()).call(service, call),
    checkToken: async (service, token) => (await api()).checkToken(service, token),
    probe: async (service) => (await api()).probe(service),
  };
  // Tokens at rest depend on settings, profiles and credentials.
  const tokens = lazy(async () =>
    (await import('./stored-tokens.ts')).storedTokens({
      api: lazyApi,
      profiles,
      credentials,
      io,
      profileName,
    }),
  );
  const files = lazy(() => import('../io/files.ts'));
  const runChild: Context['runChild'] = async (child) =>
    (await import('../io/child.ts')).runChild(child, host);
  const path = (name: string): string => resolvePath(host, name);
  const withResolvedPath = <File extends { readonly path: string }>(file: File): File => ({
    ...file,
    path: path(file.path),
  });
  const fullName = async ({ service, name }: EditedObject): Promise<string> => {
    const { address, namespace = '' } = await lazyApi.settings(service);
    return [service, address, namespace, name].join('\0');
  };
  const userFiles: Files = {
    absolute: path,
    exists: async (name) => (await files()).exists(path(name)),
    isFile: async (name) => (await files()).isFile(path(name)),
    readText: async (name, what) => (await files()).readText(path(name), what),
    readBytes: async (name, what, limit) => (await files()).readBytes(path(name), what, limit),
    checkWritable: async (targets) =>
      (await import('../io/output-files.ts')).checkOutputFiles(targets.map(withResolvedPath)),
    write: async (wanted) => (await files()).writeFiles(wanted.map(withResolvedPath)),
    listRecursively: async (folder) =>
      (await import('../io/directories.ts')).listFilesRecursively(path(folder)),
    createDirectories: async (folder, below) =>
      (await import('../io/directories.ts')).createDirectories(path(folder), below),
    openLarge: async (name, what) =>
      (await import('../io/large-file.ts')).openLargeFile(path(name), what, name),
    openPartialDownload: async ({ path: name, replace = false }, hash) =>
      (await import('../io/partial-download.ts')).openPartialDownload(path(name), { replace, hash }),
    listDirectory: async (name) => (await files()).listDirectory(path(name)),
    createDirectory: async (name) => (await files()).createDirectory(path(name)),
    edit: async (file, change) => {
      const [{ editFile, createDirectory }, { withLock }] = await Promise.all([
        files(),
        import('../config/lock.ts'),
      ]);
      // One lock for all of them, where it is in no one's way.
      createDirectory(directory);
      return withLock(join(directory, 'edits'), async () => editFile(withResolvedPath(file), change));
    },
    remove: async (name) => (await files()).removeFile(path(name)),
  };
  return {
    api: lazyApi,
    profiles,
    credentials,
    tokens: {
      locate: async (service, instead) => (await tokens()).locate(service, instead),
      read: async (home) => (await tokens()).read(home),
      store: async (home, token) => (await tokens()).store(home, token),
      confirm: async (home, token) => (await tokens()).confirm(home, token),
      remove: async (home) => (await tokens()).remove(home),
      saveAll: async (profile, wanted, change) => (await tokens()).saveAll(profile, wanted, change),
    },
    browser: {
      listenForCallback: async (port) =>
        (await import('../io/login-callback.ts')).listenForCallback(port, host.signal),
      open: async (url) => (await import('../io/browser.ts')).openBrowser(url, host),
    },
    keys: lazy(async () => (await import('../ssh/keys.ts')).keys),
    agent: lazy(async () => (await import('../ssh/agent.ts')).agent(host.env.SSH_AUTH_SOCK)),
    sshClient: lazy(async () => (await import('../ssh/client.ts')).sshClient(host)),
    sshConfiguration: lazy(async () => (await import('../ssh/ssh-configuration.ts')).sshConfiguration),
    files: isDryRun ? dryRunFiles(userFiles) : userFiles,
    machine: {
      hostNames: async () => (await import('../io/local-host.ts')).localHostNames(),
      hasAddress: async (address) => (await import('../io/local-host.ts')).isLocalAddress(address),
      isInCidrBlocks: async (address, blocks) =>
        (await import('../io/local-host.ts')).isInCidrBlocks(address, blocks),
    },
    readJsonObject: async (given) =>
      (await import('../io/json-object.ts')).readJsonObject(given, {
        io,
        readText: async (name, what) => (await files()).readText(path(name), what),
      }),
    readListFile: async (file) =>
      (await import('../io/list-file.ts')).readListFile(file, {
        io,
        readText: async (name, what, limit) => (await files()).readText(path(name), what, limit),
      }),
    readDefinitions: async (file) =>
      (await import('../io/definition-file.ts')).readDefinitions(file, {
        io,
        readText: async (name, what, limit) => (await files()).readText(path(name), what, limit),
      }),
    readItems: async (given) =>
      (await import('../io/variable-file.ts')).readItems(given, {
        io,
        readText: async (name, what, limit) => (await files()).readText(path(name), what, limit),
      }),
    readVariable: async (given) =>
      (await import('../io/variable-file.ts')).readVariable(given, {
        io,
        readText: async (name, what, limit) => (await files()).readText(path(name), what, limit),
      }),
    readLines: async function* (file) {
      const { readLines } = await import('../io/read-lines.ts');
      yield* readLines(file === '-' ? file : path(file), host.stdin);
    },
    io,
    clock: host.clock,
    random: host.random,
    env: host.env,
    home: host.home,
    signal: host.signal,
    selfCommand: host.selfCommand,
    dryRunFlag: globals.dryRun,
    isDryRun,
    sequentially: async (items, work) => (await import('./dry-run.ts')).sequentially(items, work),
    profileName,
    runChild: isDryRun ? dryRunChild : runChild,
    tunnel: async (to, port) =>
      (await import('../io/tunnel.ts')).tunnel({ host: to, port }, host, host.signal),
    yamlEditor: {
      stringify: async (value) => (await import('../output/yaml.ts')).renderYaml(value),
      parse: async (text, name) =>
        (await import('../io/definition-file.ts')).parseYamlDefinitions(text, name),
      parseItems: async (text, name) =>
        (await import('../io/variable-file.ts')).parseItems(text, name, 'yaml'),
      edit: async (content) =>
        (await import('../io/editor.ts')).editText(content, {
          ...{ env: host.env, cwd: host.cwd, platform: host.platform, signal: host.signal },
          ...{ interactive: io.isInteractive, noInput: globals.noInput },
        }),
      // What is only shown changes nothing, and keeps nothing.
      saveAfterFailure: async (error, content, object, hintOf) => {
        if (isDryRun) return error;
        const { saveEditedText } = await import('../io/editor.ts');
        return saveEditedText(error, { content, object: await fullName(object) }, host.env, hintOf);
      },
      removeSaved: async (object) => {
        if (isDryRun) return;
        const { removeSavedTexts } = await import('../io/editor.ts');
        for (const file of await removeSavedTexts(await fullName(object), host.env))
          io.note(`Removed ${file}, the text of an earlier edit.`);
      },
      removeIfSaved: async (file) => {
        if (file === undefined || file === '-') return;
        const { removeSavedText } = await import('../io/editor.ts');
        if (await removeSavedText(resolvePath(host, file), host.env))
          io.note(`Removed ${file}: its text was written.`);
      },
    },
    ...output,
    createTemporaryDirectory: async (prefix) =>
      (await import('../io/private-directory.ts')).createTemporaryDirectory(prefix),
    version,
  };
}
