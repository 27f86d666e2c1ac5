import { command } from '../../../../command/command.ts';
import { conflict } from '../../../../errors.ts';
import { rawLine, text } from '../../../../output/document.ts';
import { mountFlag } from '../../lib/mount.ts';
import { readRotation } from '../../lib/rotate/rotation.ts';
import { installCommands } from '../../lib/rotate/trust-commands.ts';
import { fingerprintOf, rotationResult } from '../../lib/rotate/view.ts';

export default command({
  description:
    'Prints both public keys, the commands that install them on hosts and clients, and how to check it. Nothing is changed. The service does not know who has installed a key: check the hosts before "ssh ca rotate switch".',
  examples: ['lanyard ssh ca rotate trust', 'lanyard ssh ca rotate trust --field bundle'],
  service: 'secrets',
  readsActive: true,
  flags: { mount: mountFlag },
  async run({ flags: { mount } }, ctx) {
    const secrets = await ctx.api.secrets();
    const rotation = await readRotation(secrets, mount);
    const { phase, old, new: next } = rotation;
    if (!next)
      throw conflict(`no rotation of ${mount}/ is started (phase ${phase})`, {
        service: 'secrets',
        hint: 'Run `lanyard ssh ca rotate start` to create the new CA.',
      });
    const keys = await ctx.ssh.keys();
    const bundle = `${old.publicKey}\n${next.publicKey}\n`;
    const commands = await installCommands(secrets, rotation, fingerprintOf(keys, next));
    const { data, document } = await rotationResult(
      rotation,
      ctx,
      text('Public keys that hosts and clients must trust, the old one first:'),
      rawLine(bundle),
      ...commands.flatMap(({ purpose, lines }) => [
        text(purpose),
        ...lines.map((line) => rawLine(`  ${line}`)),
      ]),
    );
    return { data: { ...data, bundle, commands }, document };
  },
});
