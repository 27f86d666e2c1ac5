import type { Api } from '../../command/api.ts';
import type { Host } from '../../command/host.ts';
import { credentials } from '../../config/credentials.ts';
import { profiles } from '../../config/profiles.ts';
import { configDirectory } from '../config-directory.ts';
import { allSharedFlags } from '../help/help.ts';
import type { Globals } from '../parse/globals.ts';
import { settingsReader } from '../settings/service-settings.ts';
import { type TokenReader, tokenReader } from '../settings/token-reader.ts';
import type { Position } from './position.ts';
import type { ListingApi } from './source.ts';

interface CompletionApi {
  readonly settings: Api['settings'];
  /** The name of the profile that the settings come from: the given one, or the active one. */
  profileName(): Promise<string | undefined>;
  /** The mount of the SSH commands, where the command line has none. */
  sshMount(): Promise<string>;
  readonly token: TokenReader;
  /** The clients, loaded on first use. They print nothing. */
  api(): Promise<ListingApi>;
}

const ignore = (): void => undefined;

/**
 * The API for the flags of an incomplete command line. Tokens in a keyring are read only if that opens no prompt.
 *
 * @throws LanyardError usage: a flag has an invalid value.
 */
export function completionApi(
  { command, flags }: Position,
  host: Omit<Host, 'stdin' | 'stdout' | 'stderr' | 'onSignal'>,
): CompletionApi {
  const valuesOf = (key: string): readonly string[] =>
    Object.hasOwn(command.flags, key) ? [] : (flags.get(key) ?? []);
  const given = Object.fromEntries(
    Object.entries(allSharedFlags).map(([key, spec]) => [key, spec.parse(valuesOf(key), `--${key}`)]),
  ) as unknown as Globals;
  const globals: Globals = { ...given, dryRun: false, curl: false, noInput: true };
  const directory = configDirectory(host);
  const { read } = profiles(directory);
  const profile = {
    name: globals.profile ?? (host.env.LANYARD_PROFILE || undefined),
    read,
    credentials: credentials({ directory, env: host.env, keyring: host.keyring, noPrompt: true }),
  };
  const { settings } = settingsReader({ host, globals, command, profile });
  return {
    settings,
    sshMount: async () => {
      const { sshDefaults } = await import('../settings/ssh-defaults.ts');
      const parts = { api: { settings }, profile, env: host.env, isPinned: false };
      return (await sshDefaults({}, parts)).mount;
    },
    profileName: async () => profile.name ?? (await read()).active,
    token: tokenReader({ host, profile }),
    api: async () =>
      (await import('../clients/api-factory.ts')).createApi({
        host,
        globals,
        command,
        io: { note: ignore, warn: ignore, detail: ignore, setRedaction: ignore },
        profile,
        onSuccess: ignore,
      }),
  };
}
