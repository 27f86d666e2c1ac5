import type { Context } from '../../../../command/context.ts';
import { usage } from '../../../../errors.ts';
import { type Connection, configuredAgent, pathOption } from './connection.ts';
import { type CertificateRequest, issueCertificate } from './issue-certificate.ts';

/**
 * Configures ssh to log in with a certificate for a key of the user, in a file or in the ssh-agent. ssh itself
 * prompts for a passphrase or a touch; the certificate is in a private directory while ssh runs.
 */
export async function accessWithOwnKey(
  desired: CertificateRequest,
  connection: Connection,
  ctx: Context,
): Promise<void> {
  const { access, folder } = connection;
  const own = await chooseKey(connection, ctx);
  const { info, line } = (await ctx.ssh.keys()).readPublicKey(own.publicKey, own.name);
  const certified = await issueCertificate({ line, fingerprint: info.fingerprint }, desired, connection, ctx);
  access.certificate = certified.line;
  const [publicKey, certificate] = [`${folder}/key.pub`, `${folder}/key-cert.pub`];
  await ctx.files.write([
    { path: publicKey, content: `${line}\n`, replace: false },
    { path: certificate, content: certified.line, replace: false },
  ]);
  access.options.push(
    pathOption('CertificateFile', certificate),
    pathOption('IdentityFile', own.privateKey ?? publicKey),
    'IdentitiesOnly=yes',
    'PubkeyAuthentication=yes',
  );
}

interface OwnKey {
  readonly publicKey: string;
  /** For messages. */
  readonly name: string;
  /** Undefined: in the agent. */
  readonly privateKey: string | undefined;
}

async function chooseKey(connection: Connection, ctx: Context): Promise<OwnKey> {
  const { client, flags } = connection;
  if (flags.key !== undefined) return readKeyFile(flags.key, ctx);
  const [first] = await client.agentKeys(configuredAgent(connection, ctx));
  if (first === undefined) throw usage('no key in the ssh-agent', { hint: 'Run `ssh-add` to add a key.' });
  return { publicKey: first, name: 'the first key of the ssh-agent', privateKey: undefined };
}

/** A private key, with its public key next to it or in it; or a public key whose private key is in the agent. */
async function readKeyFile(given: string, ctx: Context): Promise<OwnKey> {
  const path = ctx.files.absolute(given);
  const privateKey = path.replace(/\.pub$/, '');
  const hasPrivate = await ctx.files.exists(privateKey);
  const name = `${privateKey}.pub`;
  if (await ctx.files.exists(name)) {
    const publicKey = await ctx.files.readText(name, 'the public key');
    return { publicKey, name, privateKey: hasPrivate ? privateKey : undefined };
  }
  const text = await ctx.files.readText(path, 'the key');
  const { line } = await (await ctx.ssh.keys()).derivePublicKey(text, given);
  return { publicKey: line, name: given, privateKey };
}
