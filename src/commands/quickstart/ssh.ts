import type { Tour } from './tour.ts';

/** A certificate authority, a role, a signed key. */
export async function sshStop({ ctx, folder, say, line }: Tour): Promise<void> {
  await say('First stop: SSH without passwords and without copied keys.');
  await say('A certificate authority signs keys. The service makes its key pair and keeps it.');
  await line('ssh', 'ca', 'create', '--key-type', 'ed25519');
  await say('A role says who may have what signed, and for how long.');
  await line(
    ...['ssh', 'role', 'put', 'deploy', '--allow-user-certificates', '--allowed-users', 'ubuntu,admin'],
    ...['--default-user', 'ubuntu', '--default-extension', 'permit-pty', '--ttl', '30m'],
  );
  const pair = await (await ctx.keys()).generate('quickstart');
  await ctx.files.write([
    { path: `${folder}/id_ed25519`, content: pair.privateKey, replace: false },
    { path: `${folder}/id_ed25519.pub`, content: `${pair.publicKey}\n`, replace: false },
  ]);
  await say('A fresh key pair is made, as ssh-keygen would: id_ed25519 and id_ed25519.pub. It is signed:');
  await line('ssh', 'sign', 'deploy', '--key', 'id_ed25519.pub');
  await say('A host that trusts this line lets the certificate in, as ubuntu, for half an hour:');
  await line('ssh', 'ca', 'public-key');
  await say('Everything is data as well as words:');
  await line(
    ...['ssh', 'inspect', 'id_ed25519-cert.pub'],
    ...['--select', '{principals: principals, until: validBefore}'],
  );
}
