import type { Context } from '../../../../command/context.ts';
import { isFailure } from '../../../../errors.ts';
import type { Diagnosis } from '../../../../ssh/diagnosis/diagnosis.ts';
import type { Account, ServerFile } from '../../../../ssh/diagnosis/server-files.ts';
import type { ServerSettings } from '../../../../ssh/diagnosis/server-settings.ts';
import type { HostFacts, LocalKey } from './facts.ts';

const maxConfigBytes = 1024 * 1024;

interface Login {
  readonly user: string;
  /** Of the client; undefined: not known. */
  readonly address: string | undefined;
  readonly key: LocalKey | undefined;
}

/**
 * Reads what sshd on this host is configured for.
 *
 * @param path of sshd_config. @throws LanyardError usage: it cannot be read.
 */
export async function readHost(
  path: string,
  { user, address, key }: Login,
  ctx: Context,
): Promise<HostFacts> {
  const diagnosis = await ctx.ssh.diagnosis();
  const text = (await ctx.files.readBytes(path, 'the configuration of sshd', maxConfigBytes)).toString(
    'utf8',
  );
  const settings = await diagnosis.readServerSettings(ctx.files.absolute(path), text, user, address);
  const account = await diagnosis.readAccount(user);
  const { values } = settings;
  const fileOf = async (name: string): Promise<ServerFile | undefined> => {
    const [value] = values(name);
    return value === undefined
      ? undefined
      : diagnosis.readServerFile(expand(value, user, account?.home ?? ''));
  };
  const trustedKeys = await fileOf('trustedusercakeys');
  const listed = await fileOf('revokedkeys');
  const principalsFile = await fileOf('authorizedprincipalsfile');
  const isStrict = values('strictmodes')[0] !== 'no';
  const certificate = key?.certificate;
  const accepts = (name: string, algorithms: readonly string[]): boolean | undefined => {
    const [list] = values(name);
    if (list === undefined || algorithms.length === 0) return undefined;
    const found = algorithms.map((algorithm) => diagnosis.acceptsAlgorithm(list, algorithm));
    return found.includes(true) ? true : found.includes(undefined) ? undefined : false;
  };
  return {
    source: settings.source,
    account,
    values,
    isConditional: (name) => settings.conditional.has(name),
    trustedKeys,
    trustedFingerprints: trustedKeys?.content ? diagnosis.keyFingerprints(trustedKeys.content) : [],
    ...(await readRevoked(listed, key, ctx)),
    principalsFile,
    principals: principalsFile?.content ? principalsOf(principalsFile.content) : [],
    insecurePath:
      isStrict && account && principalsFile?.content
        ? await diagnosis.findInsecurePart(principalsFile.path, account)
        : undefined,
    deniedBy: deniedBy(settings, user, account, diagnosis),
    acceptsCaSignature: accepts('casignaturealgorithms', certificate ? [certificate.signatureAlgorithm] : []),
    acceptsKey: accepts('pubkeyacceptedalgorithms', certificate ? algorithmsOf(certificate.type) : []),
  };
}

/** The tokens of a path (sshd_config(5), TOKENS). A relative path is in the home directory. */
function expand(path: string, user: string, home: string): string {
  const expanded = path.replace(
    /%([%hu])/g,
    (_, token: string) => ({ '%': '%', h: home, u: user })[token] ?? '',
  );
  return expanded.startsWith('/') ? expanded : `${home}/${expanded}`;
}

/** The principals of the lines, after their options. */
const principalsOf = (content: Buffer): string[] =>
  content
    .toString('utf8')
    .split(/\r?\n/)
    .flatMap((line) => /^\s*(?!#).*?(\S+)\s*$/.exec(line)?.[1] ?? []);

/** The algorithms that a certificate can be used with: RSA keys have those of SHA-2. */
const algorithmsOf = (type: string): string[] =>
  type.startsWith('ssh-rsa-cert')
    ? ['rsa-sha2-512', 'rsa-sha2-256'].map((name) => type.replace('ssh-rsa', name))
    : [type];

/** sshd rejects every key with a list that is missing or damaged. */
async function readRevoked(
  revokedKeys: ServerFile | undefined,
  key: LocalKey | undefined,
  ctx: Context,
): Promise<Pick<HostFacts, 'revokedKeys' | 'isRevoked'>> {
  const line = key?.line;
  if (revokedKeys?.content === undefined) return { revokedKeys, isRevoked: undefined };
  try {
    const isRevoked = await (await ctx.ssh.diagnosis()).isRevoked(
      revokedKeys.content,
      revokedKeys.path,
      line,
    );
    return { revokedKeys, isRevoked };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { revokedKeys: { ...revokedKeys, problem: error.message }, isRevoked: undefined };
  }
}

/** Which setting denies the user, in the words of sshd; undefined: none. Patterns with a host are not evaluated. */
function deniedBy(
  { values }: ServerSettings,
  user: string,
  account: Account | null | undefined,
  { matchesPattern }: Diagnosis,
): string | undefined {
  const patterns = (name: string): string[] => values(name).flatMap((value) => value.split(/\s+/));
  const matches = (name: string, texts: readonly string[], hasHost: boolean): boolean =>
    patterns(name)
      .filter((pattern) => hasHost || !pattern.includes('@'))
      .some((pattern) => texts.some((text) => matchesPattern(pattern.split('@', 1)[0] ?? '', text)));
  if (matches('denyusers', [user], false)) return 'listed in DenyUsers';
  if (patterns('allowusers').length > 0 && !matches('allowusers', [user], true))
    return 'not listed in AllowUsers';
  const groups = account?.groups;
  if (groups === undefined) return undefined;
  if (matches('denygroups', groups, true)) return 'a group is listed in DenyGroups';
  if (patterns('allowgroups').length > 0 && !matches('allowgroups', groups, true))
    return 'none of its groups are listed in AllowGroups';
  return undefined;
}
