import { command } from '../../command.ts';
import { code, text } from '../../output/document.ts';
import { boxArg, tagOf, versionArg } from './names.ts';
import { written } from './shared.ts';

export default command({
  description: 'Takes a released version back. It stays in the list, and cannot be released again.',
  service: 'box',
  writes: true,
  readsFirst: true,
  args: { box: boxArg, version: versionArg },
  flags: {},
  async run({ args }, ctx) {
    const box = await ctx.api.box();
    const at = { ...args.box, version: args.version };
    const name = `${tagOf(args.box)} ${args.version}`;
    const { body: version } = await box.readVersion(at);
    if (version.status === 'revoked') {
      return {
        data: version,
        document: [text('The version ', code(name), ' is revoked already; nothing was changed.')],
      };
    }
    await ctx.io.confirm(`Revoke the version ${name}? It cannot be released again.`);
    const body = await written(
      () => box.revokeVersion(at),
      () => box.readVersion(at),
      ({ status }) => status === 'revoked',
      ctx.io,
    );
    return { data: body, document: [text('The version ', code(name), ' is revoked.')] };
  },
});
