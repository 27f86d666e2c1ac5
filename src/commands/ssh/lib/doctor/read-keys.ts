import type { Context } from '../../../../command/context.ts';
import { isFailure, LanyardError } from '../../../../errors.ts';
import type { ClientLog } from '../../../../ssh/diagnosis/client-log.ts';
import type { CertificateInfo, ClientSettings } from '../../../../ssh/types.ts';
import { configuredAgent } from '../connect/connection.ts';
import type { AgentFacts, LocalKey } from './facts.ts';

/** The file of a private key, of the name of it, its public key or its certificate. */
export const privateKeyPath = (path: string): string => path.replace(/(-cert)?\.pub$/, '');

/** The keys of files: those that ssh is configured for, or one. Files that do not exist are left out. */
export async function readLocalKeys(
  given: string | undefined,
  settings: ClientSettings,
  ctx: Context,
): Promise<LocalKey[]> {
  const paths =
    given === undefined
      ? settings.values('identityfile').map((path) => path.replace(/^~(?=\/)/, ctx.system.home))
      : [given];
  const extra = given === undefined ? settings.values('certificatefile') : [];
  const certificates = await Promise.all(
    extra.map((path) => readCertificate(path.replace(/^~(?=\/)/, ctx.system.home), ctx)),
  );
  const found = await Promise.all(paths.map((path) => readLocalKey(path, certificates, ctx)));
  return found.filter((key) => key !== undefined);
}

interface CertificateFile {
  readonly path: string;
  readonly certificate: CertificateInfo;
  readonly line: string;
}

async function readLocalKey(
  given: string,
  others: readonly (CertificateFile | undefined)[],
  ctx: Context,
): Promise<LocalKey | undefined> {
  const path = privateKeyPath(given);
  const certificatePath = /-cert\.pub$/.test(given) ? given : `${path}-cert.pub`;
  const own = await inspectFile(path, ctx);
  const publicKey = await inspectFile(`${path}.pub`, ctx);
  const beside = await readCertificate(certificatePath, ctx);
  if (own === undefined && publicKey === undefined && beside === undefined) return undefined;
  const ownKey = typeof own === 'object' && own.what !== 'certificate' ? own.key : undefined;
  const pairedKey =
    typeof publicKey === 'object' && publicKey.what === 'public key' ? publicKey.key : undefined;
  const fingerprint = (ownKey ?? pairedKey)?.fingerprint;
  const other = others.find((each) => each?.certificate.key.fingerprint === fingerprint);
  const found = beside ?? other;
  return {
    path,
    privateKey: own === undefined ? 'missing' : own === 'unreadable' ? own : privateKeyState(own),
    fingerprint,
    certificate: found?.certificate,
    line: found?.line,
    certificatePath: found?.path ?? certificatePath,
  };
}

type Inspected = Awaited<ReturnType<Awaited<ReturnType<Context['ssh']['keys']>>['inspect']>>;

const privateKeyState = (found: Inspected): LocalKey['privateKey'] =>
  found.what !== 'private key' ? 'unreadable' : found.encrypted ? 'encrypted' : 'plain';

/** A key or certificate file; undefined: it does not exist. */
async function inspectFile(path: string, ctx: Context): Promise<Inspected | 'unreadable' | undefined> {
  if (!(await ctx.files.exists(path))) return undefined;
  try {
    return await (await ctx.ssh.keys()).inspect(await ctx.files.readText(path, 'the key'), path);
  } catch (error) {
    if (isFailure(error)) return 'unreadable';
    throw error;
  }
}

async function readCertificate(path: string, ctx: Context): Promise<CertificateFile | undefined> {
  const found = await inspectFile(path, ctx);
  return typeof found === 'object' && found.what === 'certificate'
    ? { path, certificate: found.certificate, line: await ctx.files.readText(path, 'the certificate') }
    : undefined;
}

/** What the agent has that ssh would use. */
export async function readAgent(settings: ClientSettings, ctx: Context): Promise<AgentFacts> {
  const none = { keys: [], certificates: [] };
  const socket = configuredAgent({ settings }, ctx);
  if (socket === undefined)
    return {
      state: settings.value('identityagent') === 'none' ? 'off' : 'unset',
      message: undefined,
      ...none,
    };
  const [client, keys] = await Promise.all([ctx.ssh.client(), ctx.ssh.keys()]);
  try {
    const lines = await client.agentIdentities(socket);
    const found = await Promise.all(
      lines.map((line) => keys.inspect(line, 'the ssh-agent').catch(() => undefined)),
    );
    const certificates = found.flatMap((each) => (each?.what === 'certificate' ? [each.certificate] : []));
    const plain = found.flatMap((each) => (each?.what === 'public key' ? [each.key.fingerprint] : []));
    return { state: 'ok', message: undefined, keys: plain, certificates };
  } catch (error) {
    if (!(error instanceof LanyardError) || error.kind !== 'unreachable') throw error;
    return { state: 'unreachable', message: error.message, ...none };
  }
}

/**
 * The key that ssh logged in with, or the one that it would have to: the certificate that the host accepts, that ssh
 * offered, or that is next to a key; else a key without a certificate.
 *
 * @param isOwn whether the login used these keys: false for a log that does not name a key.
 */
export function chooseKey(
  local: readonly LocalKey[],
  agent: AgentFacts,
  client: ClientLog | undefined,
  isOwn: boolean,
): LocalKey | undefined {
  const offers = client?.offers ?? [];
  const ordered = [...offers.filter((offer) => offer.isAccepted), ...offers];
  for (const offer of ordered.filter(({ type }) => type.endsWith('-CERT'))) {
    const file = local.find(
      ({ certificate, path }) =>
        certificate !== undefined &&
        (certificate.key.fingerprint === offer.fingerprint || path === offer.path),
    );
    if (file !== undefined) return file;
    const certificate = agent.certificates.find(({ key }) => key.fingerprint === offer.fingerprint);
    if (certificate !== undefined) return inAgent(offer.path, certificate.key.fingerprint, certificate);
  }
  if (isOwn && !offers.some((offer) => offer.isAccepted)) {
    const certified = local.find(({ certificate }) => certificate !== undefined);
    if (certified !== undefined) return certified;
  }
  for (const offer of ordered) {
    const file = local.find(({ fingerprint }) => fingerprint === offer.fingerprint);
    if (file !== undefined) return file;
    if (offer.isFromAgent) return inAgent(offer.path, offer.fingerprint, undefined);
  }
  return isOwn ? local[0] : undefined;
}

const inAgent = (path: string, fingerprint: string, certificate: CertificateInfo | undefined): LocalKey => ({
  path,
  privateKey: 'in the agent',
  fingerprint,
  certificate,
  line: undefined,
  certificatePath: 'the ssh-agent',
});
