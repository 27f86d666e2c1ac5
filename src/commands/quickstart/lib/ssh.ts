import type { Tour } from './tour.ts';

/** Creates a CA and a role, and signs a key. */
export async function sshStop({ ctx, folder, say, line }: Tour): Promise<void> {
  await say(
    '1. SSH certificates: create a certificate authority (CA). Its private key stays in the service.',
  );
  await line('ssh', 'ca', 'create', '--key-type', 'ed25519');
  await say('A role defines the principals, options and lifetime of certificates:');
  await line(
    ...['ssh', 'role', 'put', 'deploy', '--allow-user-certificates', '--allowed-users', 'ubuntu,admin'],
    ...['--default-user', 'ubuntu', '--default-extension', 'permit-pty', '--ttl', '30m'],
  );
  const pair = await (await ctx.ssh.keys()).generate('quickstart');
  await ctx.files.write([
    { path: `${folder}/id_ed25519`, content: pair.readPrivateKey, replace: false },
    { path: `${folder}/id_ed25519.pub`, content: `${pair.readPublicKey}\n`, replace: false },
  ]);
  await say('Sign the public key of a new key pair, id_ed25519 and id_ed25519.pub:');
  await line('ssh', 'sign', 'deploy', '--key', 'id_ed25519.pub');
  await say('A host that trusts this CA accepts the certificate for user ubuntu, for 30 minutes:');
  await line('ssh', 'ca', 'public-key');
  await say('Every result is also available as data:');
  await line(
    ...['ssh', 'inspect', 'id_ed25519-cert.pub'],
    ...['--select', '{principals: principals, until: validBefore}'],
  );
}
