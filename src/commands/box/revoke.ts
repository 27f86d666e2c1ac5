import { command } from '../../command/command.ts';
import { code, textResult } from '../../output/document.ts';
import { boxArg, boxTag, versionArg } from './lib/box-names.ts';
import { writeAndConfirm } from './lib/confirmed-writes.ts';

export default command({
  description: 'A revoked version stays in the list, but cannot be released again.',
  examples: ['lanyard box revoke dev/web 1.0.0'],
  service: 'box',
  writes: 'after reads',
  args: { box: boxArg, version: versionArg },
  async run({ args }, ctx) {
    const box = await ctx.api.box();
    const at = { ...args.box, version: args.version };
    const name = `${boxTag(args.box)} ${args.version}`;
    const { body: version } = await box.readVersion(at);
    if (version.status === 'revoked')
      return textResult(version, 'Version ', code(name), ' is already revoked.');
    await ctx.input.confirm(`Revoke version ${name}? It cannot be released again.`);
    const body = await writeAndConfirm(
      () => box.revokeVersion(at),
      () => box.readVersion(at),
      ({ status }) => status === 'revoked',
      ctx.output,
    );
    return textResult(body, 'Revoked version ', code(name), '.');
  },
});
