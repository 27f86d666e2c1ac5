import type { Retry } from '../../api/operation.ts';
import type { Context, UserOutput } from '../../command/context.ts';
import type { Host } from '../../command/host.ts';
import type { LoginPage, UserInput } from '../../command/input.ts';
import type { Io } from '../../io/io.ts';
import { resolvePath } from '../../io/resolve-path.ts';
import { configDirectory } from '../config-directory.ts';
import { lazy, lazyObject } from '../lazy.ts';
import type { Invocation } from '../parse/program.ts';
import { version } from '../version.ts';
import type { DebugLog } from './debug-log.ts';

interface Parts {
  readonly host: Host;
  readonly invocation: Invocation;
  readonly io: Io;
  readonly writer: Pick<UserOutput, 'show' | 'showPartial' | 'streamList' | 'streamEvents' | 'dryRunResult'>;
  /** Called with the retry class of each operation that a service accepted. */
  readonly onSuccess: (retry: Retry) => void;
  readonly debug: DebugLog | undefined;
}

const dryRun = () => import('./dry-run.ts');

/** Connects the parts of the context; modules are loaded on first use. In a dry run nothing is changed locally. */
export function compose({ host, invocation, io, writer, onSuccess, debug }: Parts): Context {
  const { command, globals } = invocation;
  const { clock, random, env, home, signal, selfCommand } = host;
  const directory = configDirectory(host);
  // The lines that `ssh config` writes (pinned-settings.ts).
  const isPinned = invocation.flags.forLogin === true;
  const isDryRun = globals.dryRun || globals.curl;
  const files: Context['files'] = lazyObject(
    async () => {
      const { userFiles } = await import('../context/user-files.ts');
      const onDisk = userFiles(host, directory);
      return isDryRun ? (await dryRun()).dryRunFiles(onDisk) : onDisk;
    },
    { absolute: (path: string) => resolvePath(host, path) },
  );
  const credentials: Context['profile']['credentials'] = lazyObject(async () => {
    const { credentials } = await import('../../config/credentials.ts');
    const store = credentials({ directory, env, keyring: host.keyring });
    return isDryRun ? (await dryRun()).dryRunCredentials(store) : store;
  });
  const profile: Context['profile'] = lazyObject(
    async () => {
      const store = (await import('../../config/profiles.ts')).profiles(directory);
      const { read, change } = isDryRun ? (await dryRun()).dryRunProfiles(store) : store;
      const paths = { absolute: (path: string) => resolvePath(host, path), home };
      const importable: Context['profile']['importable'] = async (settings) =>
        (await import('../settings/importable-settings.ts')).importableSettings(settings, paths);
      const instances = async () => (await import('../../config/instances.ts')).instances(directory);
      const sshDefaults: Context['profile']['sshDefaults'] = async (given) =>
        (await import('../settings/ssh-defaults.ts')).sshDefaults(given, { api, profile, env, isPinned });
      return { read, change, importable, instances, sshDefaults };
    },
    {
      name: globals.profile ?? (env.LANYARD_PROFILE || undefined),
      credentials,
      tokens: lazyObject(async () =>
        (await import('../settings/stored-tokens.ts')).storedTokens({ api, profile, io, clock }),
      ),
    },
  );
  const api: Context['api'] = lazyObject(async () =>
    (await import('../clients/api-factory.ts')).createApi({
      host,
      globals,
      command,
      io,
      profile,
      onSuccess,
      debug,
      isPinned,
    }),
  );
  const system: Context['system'] = lazyObject(
    async () => {
      const parts = (await import('../context/system.ts')).system(host);
      return isDryRun ? { ...parts, runChild: (await dryRun()).dryRunChild } : parts;
    },
    { clock, random, env, home, signal, selfCommand, version },
  );
  return {
    api,
    input: lazyObject(async () => (await import('../context/user-input.ts')).inputReaders(host, io, files), {
      ...io,
      yamlEditor: lazyObject(async () =>
        (await import('../context/yaml-editor.ts')).yamlEditor({
          host,
          io,
          api,
          noInput: globals.noInput,
          isDryRun,
        }),
      ),
      authorizeInBrowser: async (...[options, requestUrl]: Parameters<UserInput['authorizeInBrowser']>) =>
        (await import('../context/browser-login.ts')).authorizeInBrowser(options, requestUrl, { io, system }),
      readJwt: async (source: string | undefined, what: string) =>
        (await import('../context/jwt-source.ts')).readJwt(source, what, { host, io, globals }),
      openLoginPage: async (page: LoginPage) =>
        (await import('../context/browser-login.ts')).openLoginPage(page, { io, system }),
    }),
    output: {
      ...io,
      ...writer,
      repeatFlags: async (hint) => (await import('../help/hint-commands.ts')).repeatFlags(hint, invocation),
      isTerminal: host.stdout.isTTY === true,
      dryRunFlag: globals.dryRun,
      isDryRun,
      sequentially: async (items, work) => (await dryRun()).sequentially(items, work),
    },
    files,
    ssh: {
      keys: lazy(async () => (await import('../../ssh/keys.ts')).keys),
      agent: lazy(async () => (await import('../../ssh/agent.ts')).agent(env.SSH_AUTH_SOCK)),
      client: lazy(async () => (await import('../../ssh/client.ts')).sshClient(host)),
      revocation: lazy(async () => (await import('../../ssh/krl/revocation.ts')).revocation),
      configuration: lazy(async () => (await import('../../ssh/ssh-configuration.ts')).sshConfiguration),
    },
    profile,
    system,
  };
}
