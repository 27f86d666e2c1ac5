import { join } from 'node:path';
import type { Retry } from './api/operation.ts';
import type { AnyCommand } from './command.ts';
import type { Context, EditedObject, Files, Host } from './context.ts';
import type { Globals } from './globals.ts';
import type { Io } from './io/io.ts';
import { pathAt } from './io/path.ts';
import { once } from './once.ts';
import { rehearsingChild, rehearsingCredentials, rehearsingFiles, rehearsingProfiles } from './rehearse.ts';
import { version } from './version.ts';

/** The folder of the configuration: `LANYARD_CONFIG_DIR`, else where the system keeps such things. */
function configDirectory(host: Pick<Host, 'cwd' | 'env' | 'home' | 'platform'>): string {
  const { env, home, platform } = host;
  if (env.LANYARD_CONFIG_DIR) return pathAt(host, env.LANYARD_CONFIG_DIR);
  if (platform === 'win32' && env.APPDATA) return join(env.APPDATA, 'lanyard');
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'lanyard');
}

/**
 * Wires the parts that a command may touch. Each line says what it depends on; nothing is loaded before it
 * is asked for.
 *
 * @param answered told of each operation that a service accepted, by what it means to send it again.
 */
export function compose(
  host: Host,
  globals: Globals,
  command: AnyCommand,
  io: Io,
  showing: Pick<Context, 'show' | 'showPart' | 'rows' | 'rehearsed'>,
  answered: (retry: Retry) => void,
): Context {
  const directory = configDirectory(host);
  // A rehearsal changes nothing here either, whatever a command does.
  const rehearsal = globals.dryRun || globals.curl;
  // The profile store depends on the folder only.
  const profiles = once(async () => {
    const kept = (await import('./config/profiles.ts')).profiles(directory);
    return rehearsal ? rehearsingProfiles(kept) : kept;
  });
  // The credential store depends on the folder, and on the environment for the keyring.
  const credentials = once(async () => {
    const kept = (await import('./config/credentials.ts')).credentials({
      directory,
      env: host.env,
      keyring: host.keyring,
    });
    return rehearsal ? rehearsingCredentials(kept) : kept;
  });
  const profileName = globals.profile ?? (host.env.LANYARD_PROFILE || undefined);
  // The services depend on flags, environment, profiles and credentials.
  const api = once(async () =>
    (await import('./calls.ts')).apiOf({
      host,
      globals,
      command,
      io,
      profiles,
      credentials,
      profileName,
      answered,
    }),
  );
  const calls: Context['api'] = {
    settings: async (service) => (await api()).settings(service),
    environment: async (service) => (await api()).environment(service),
    secrets: async () => (await api()).secrets(),
    secretsWith: async (token) => (await api()).secretsWith(token),
    secretsToTheEnd: async () => (await api()).secretsToTheEnd(),
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
  const tokens = once(async () =>
    (await import('./tokens.ts')).tokens({ api: calls, profiles, credentials, io, profileName }),
  );
  const files = once(() => import('./io/files.ts'));
  const runChild: Context['runChild'] = async (child) =>
    (await import('./io/child.ts')).runChild(child, host);
  const path = (name: string): string => pathAt(host, name);
  const at = <File extends { readonly path: string }>(file: File): File => ({
    ...file,
    path: path(file.path),
  });
  const fullName = async ({ service, name }: EditedObject): Promise<string> => {
    const { address, namespace = '' } = await calls.settings(service);
    return [service, address, namespace, name].join('\0');
  };
  const userFiles: Files = {
    absolute: path,
    exists: async (name) => (await files()).exists(path(name)),
    isFile: async (name) => (await files()).isFile(path(name)),
    readText: async (name, what) => (await files()).readText(path(name), what),
    readBytes: async (name, what, limit) => (await files()).readBytes(path(name), what, limit),
    check: async (targets) => (await import('./io/targets.ts')).checkTargets(targets.map(at)),
    write: async (wanted) => (await files()).writeFiles(wanted.map(at)),
    below: async (folder) => (await import('./io/trees.ts')).filesBelow(path(folder)),
    makeFolders: async (folder, below) => (await import('./io/trees.ts')).makeFolders(path(folder), below),
    large: async (name, what) => (await import('./io/large-file.ts')).openLarge(path(name), what, name),
    part: async ({ path: name, replace = false }, hash) =>
      (await import('./io/part-file.ts')).openPart(path(name), { replace, hash }),
    list: async (name) => (await files()).listFolder(path(name)),
    makeFolder: async (name) => (await files()).makeFolder(path(name)),
    edit: async (file, change) => {
      const [{ editFile, makeFolder }, { locked }] = await Promise.all([files(), import('./config/lock.ts')]);
      // One lock for all of them, where it is in no one's way.
      makeFolder(directory);
      return locked(join(directory, 'edits'), async () => editFile(at(file), change));
    },
    remove: async (name) => (await files()).removeFile(path(name)),
  };
  return {
    api: calls,
    profiles,
    credentials,
    tokens: {
      home: async (service, instead) => (await tokens()).home(service, instead),
      read: async (home) => (await tokens()).read(home),
      store: async (home, token) => (await tokens()).store(home, token),
      confirm: async (home, token) => (await tokens()).confirm(home, token),
      forget: async (home) => (await tokens()).forget(home),
      keep: async (profile, wanted, change) => (await tokens()).keep(profile, wanted, change),
    },
    browser: {
      callback: async (port) => (await import('./io/callback.ts')).callback(port, host.signal),
      open: async (url) => (await import('./io/browser.ts')).openBrowser(url, host),
    },
    keys: once(async () => (await import('./ssh/keys.ts')).keys),
    agent: once(async () => (await import('./ssh/agent.ts')).agent(host.env.SSH_AUTH_SOCK)),
    sshClient: once(async () => (await import('./ssh/client.ts')).sshClient(host)),
    sshConfiguration: once(async () => (await import('./ssh/configuration.ts')).configuration),
    files: rehearsal ? rehearsingFiles(userFiles) : userFiles,
    machine: {
      names: async () => (await import('./io/machine.ts')).machineNames(),
      hasAddress: async (address) => (await import('./io/machine.ts')).isMachineAddress(address),
      isWithin: async (address, blocks) => (await import('./io/machine.ts')).isWithin(address, blocks),
    },
    members: async (given) =>
      (await import('./io/members.ts')).readMembers(given, {
        io,
        readText: async (name, what) => (await files()).readText(path(name), what),
      }),
    entries: async (file) =>
      (await import('./io/entries.ts')).readEntries(file, {
        io,
        readText: async (name, what, limit) => (await files()).readText(path(name), what, limit),
      }),
    definitions: async (file) =>
      (await import('./io/definitions.ts')).readDefinitions(file, {
        io,
        readText: async (name, what, limit) => (await files()).readText(path(name), what, limit),
      }),
    items: async (given) =>
      (await import('./io/items.ts')).readItems(given, {
        io,
        readText: async (name, what, limit) => (await files()).readText(path(name), what, limit),
      }),
    variable: async (given) =>
      (await import('./io/items.ts')).readVariable(given, {
        io,
        readText: async (name, what, limit) => (await files()).readText(path(name), what, limit),
      }),
    lines: async function* (file) {
      const { readLines } = await import('./io/lines.ts');
      yield* readLines(file === '-' ? file : path(file), host.stdin);
    },
    io,
    clock: host.clock,
    random: host.random,
    env: host.env,
    home: host.home,
    signal: host.signal,
    self: host.self,
    dryRun: globals.dryRun,
    rehearsal,
    inTurn: async (items, work) => (await import('./rehearse.ts')).inTurn(items, work),
    profileName,
    runChild: rehearsal ? rehearsingChild : runChild,
    tunnel: async (to, port) =>
      (await import('./io/tunnel.ts')).tunnel({ host: to, port }, host, host.signal),
    drafts: {
      write: async (value) => (await import('./output/yaml.ts')).yaml(value),
      read: async (text, name) => (await import('./io/definitions.ts')).yamlDefinitions(text, name),
      readItems: async (text, name) => (await import('./io/items.ts')).itemsIn(text, name, 'yaml'),
      edit: async (content) =>
        (await import('./io/editor.ts')).edit(content, {
          ...{ env: host.env, cwd: host.cwd, platform: host.platform, signal: host.signal },
          ...{ interactive: io.interactive, noInput: globals.noInput },
        }),
      // What is only shown changes nothing, and keeps nothing.
      keeping: async (error, content, object, hintOf) => {
        if (rehearsal) return error;
        const { keepingText } = await import('./io/editor.ts');
        return keepingText(error, { content, object: await fullName(object) }, host.env, hintOf);
      },
      written: async (object) => {
        if (rehearsal) return;
        const { removeKeptOf } = await import('./io/editor.ts');
        for (const file of await removeKeptOf(await fullName(object), host.env))
          io.note(`Removed ${file}, the text of an earlier edit.`);
      },
      used: async (file) => {
        if (file === undefined || file === '-') return;
        const { removeKept } = await import('./io/editor.ts');
        if (await removeKept(pathAt(host, file), host.env)) io.note(`Removed ${file}: its text was written.`);
      },
    },
    ...showing,
    temporaryFolder: async (prefix) => (await import('./io/folder.ts')).temporaryFolder(prefix),
    version,
  };
}
