import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, LanyardError, osFailure } from '../errors.ts';
import { compact } from '../wire/objects.ts';
import type { ServiceName } from '../wire/services.ts';
import { damagedFileError, parseObject, requireObject, withoutPrototype } from './config-schema.ts';
import { callKeyring, type KeyringRequest, type KeyringResponse } from './keyring.ts';
import { withLock } from './lock.ts';
import { createPrivateDirectory } from './private-directory.ts';
import { isAccessibleToOthers, readPrivate, replacePrivate } from './private-file.ts';
import type { StoredLogin } from './stored-login.ts';

/** Stored tokens, by profile and service. */
export type Credentials = ReturnType<typeof credentials>;

/** Where one token is stored. For "keyring" the token itself is not in the file. */
type Entry = ({ readonly where: 'keyring' } | { readonly where: 'file'; readonly token: string }) & {
  readonly login?: StoredLogin | undefined;
};
type Entries = { readonly [profile: string]: { readonly [service: string]: Entry } };

interface CredentialOptions {
  /** An absolute path; it need not exist. */
  readonly directory: string;
  /** `LANYARD_KEYRING=off` disables the keyring. */
  readonly env: NodeJS.ProcessEnv;
  /** The command that runs keyring-program; undefined: no keyring. */
  readonly keyring: readonly [command: string, ...args: string[]] | undefined;
  /** Reads only a keyring that opens no prompt. */
  readonly noPrompt?: boolean;
}

/**
 * Tokens in the operating system's keyring when it responds within 3 s, else in `<directory>/credentials.json` (0600,
 * in a directory of 0700). The file also lists the tokens in the keyring, so that the keyring is queried only for a
 * token that exists. The directory is part of a token's name in the keyring: two directories may have profiles of the
 * same name.
 */
export function credentials({ directory, env, keyring, noPrompt }: CredentialOptions) {
  const path = join(directory, 'credentials.json');
  const isDisabled = env.LANYARD_KEYRING === 'off';

  async function requestKeyring(
    action: KeyringRequest['action'],
    profile: string,
    service: ServiceName,
    more: { readonly token?: string; readonly noPrompt?: boolean | undefined } = { noPrompt },
  ): Promise<KeyringResponse> {
    if (isDisabled) return { error: 'is disabled by LANYARD_KEYRING=off' };
    if (keyring === undefined) return { error: 'is not available in this build' };
    const account = `${directory} ${profile}/${service}`;
    return callKeyring(keyring, env, compact({ action, account, ...more }));
  }

  /** The token, or undefined when none is stored. */
  async function get(profile: string, service: ServiceName): Promise<string | undefined> {
    const entry = parseEntries(await readFile(path), path)[profile]?.[service];
    if (entry === undefined) return undefined;
    if (entry.where === 'file') return entry.token;
    const { token, error } = await requestKeyring('get', profile, service);
    if (error === undefined) return token ?? undefined;
    throw new LanyardError(
      'unauthenticated',
      `cannot read the token for ${service} of profile ${profile}: the keyring ${error}`,
      { service, hint: 'Start or unlock the keyring, or store the token again.' },
    );
  }

  /** Whether completion can read a token in the keyring: without a prompt, and while the keyring is unlocked. */
  async function isReadWithoutPrompt(profile: string, service: ServiceName): Promise<boolean> {
    const { error } = await requestKeyring('get', profile, service, { noPrompt: true });
    return error === undefined;
  }

  /** The login of the stored token; undefined: no token is stored, or its login is not known. */
  async function login(profile: string, service: ServiceName): Promise<StoredLogin | undefined> {
    const found = parseEntries(await readFile(path), path)[profile]?.[service]?.login;
    const isCommand =
      Array.isArray(found?.command) && found.command.every((word) => typeof word === 'string');
    return isCommand ? found : undefined;
  }

  /** Stores a token in the keyring, or in a file (then `notice` is for the user, once). */
  async function set(
    profile: string,
    service: ServiceName,
    token: string,
    login?: StoredLogin,
  ): Promise<{ where: 'keyring' | 'file'; notice?: string }> {
    const { error } = await requestKeyring('set', profile, service, { token });
    await createPrivateDirectory(directory).catch((cause) => {
      throw osFailure(`create ${directory}`, cause);
    });
    if (error === undefined) {
      await record(profile, service, { where: 'keyring', login });
      return { where: 'keyring' };
    }
    await rejectSharedDirectory(directory);
    const previous = await record(profile, service, { where: 'file', token, login });
    if (hasFileTokens(previous)) return { where: 'file' };
    const cause = /^is not (running|available)/.test(error)
      ? 'No keyring is available'
      : `The keyring ${error}`;
    const notice = `${cause}; tokens are stored in ${path} (mode 0600).`;
    return { where: 'file', notice };
  }

  async function remove(profile: string, service: ServiceName): Promise<void> {
    const entry = parseEntries(await readFile(path), path)[profile]?.[service];
    if (entry === undefined) return;
    if (entry.where === 'keyring') {
      const { error } = await requestKeyring('delete', profile, service);
      if (error !== undefined) {
        throw new LanyardError(
          'failure',
          `cannot delete the token for ${service} of profile ${profile}: the keyring ${error}`,
          { service, hint: 'Start or unlock the keyring and try again.' },
        );
      }
    }
    await record(profile, service, undefined);
  }

  /** Changes one entry under the lock, and returns the previous one. */
  async function record(profile: string, service: ServiceName, entry: Entry | undefined): Promise<Entries> {
    return withLock(path, async () => {
      const members = await readFile(path);
      const previous = parseEntries(members, path);
      const { [profile]: before = {}, ...unchanged } = previous;
      const { [service]: _, ...others } = before;
      const updated = entry === undefined ? others : { ...others, [service]: entry };
      const isEmpty = Object.keys(updated).length === 0;
      const tokens = withoutPrototype(isEmpty ? unchanged : { ...previous, [profile]: updated });
      replacePrivate(path, `${JSON.stringify({ ...members, tokens }, undefined, 2)}\n`);
      return previous;
    });
  }

  /** Checks, without a change, whether a token can be stored. @throws LanyardError failure: it cannot. */
  async function check(profile: string, service: ServiceName): Promise<void> {
    try {
      await access(directory, constants.W_OK);
    } catch (error) {
      // The file is created with the first token.
      if (errorCode(error) === 'ENOENT') return;
      throw osFailure(`write to ${directory}`, error);
    }
    parseEntries(await readFile(path), path);
    const { error } = await requestKeyring('get', profile, service);
    if (error !== undefined) await rejectSharedDirectory(directory);
  }

  return { get, isReadWithoutPrompt, login, set, delete: remove, check };
}

async function readFile(path: string): Promise<{ readonly [member: string]: unknown }> {
  const text = await readPrivate(path);
  return text === undefined ? {} : parseObject(text, path);
}

function parseEntries(members: { readonly [member: string]: unknown }, path: string): Entries {
  const tokens = requireObject(members.tokens ?? {}, 'tokens', path);
  for (const [profile, services] of Object.entries(tokens)) {
    for (const [service, entry] of Object.entries(requireObject(services, `tokens.${profile}`, path))) {
      const member = `tokens.${profile}.${service}`;
      const { where, token } = requireObject(entry, member, path);
      if (where === 'keyring' || (where === 'file' && typeof token === 'string')) continue;
      throw damagedFileError(path, `${member} must be "keyring" or a token`);
    }
  }
  return withoutPrototype(tokens as Entries);
}

function hasFileTokens(stored: Entries): boolean {
  return Object.values(stored).some((services) =>
    Object.values(services).some(({ where }) => where === 'file'),
  );
}

/** The directory may be shared (a home, a project), so its mode is not changed. */
async function rejectSharedDirectory(directory: string): Promise<void> {
  const { mode } = await stat(directory);
  if (!isAccessibleToOthers(mode)) return;
  throw new LanyardError(
    'failure',
    `cannot store a token in ${directory}: other users have access to the directory`,
    { hint: `Run \`chmod 700 ${directory}\`, or use another configuration directory.` },
  );
}
