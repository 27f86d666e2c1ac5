import { isReleasedAlready } from '../../api/conditions.ts';
import { command } from '../../command.ts';
import { LanyardError } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import { boxArg, tagOf, versionArg } from './names.ts';
import { refuseRevoked, warnOfLacking, withoutImage } from './releasing.ts';
import { written } from './shared.ts';
import type { Version } from './views.ts';

export default command({
  description:
    'The version needs at least one provider with a URL or an uploaded image. A released version is not changed.',
  examples: ['lanyard box release dev/web 1.0.0'],
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
    if (version.status === 'active') return alreadyReleased(name, version);
    refuseRevoked(name, version);
    const lacking = await withoutImage(version, ctx);
    refuseUnusable(name, version, lacking);
    try {
      const body = await written(
        () => box.releaseVersion(at),
        () => box.readVersion(at),
        ({ status }) => status === 'active',
        ctx.io,
      );
      warnOfLacking(lacking, ctx.io);
      return { data: body, document: [text('Released version ', code(name), '.')] };
    } catch (error) {
      if (!isReleasedAlready(error)) throw error;
      return alreadyReleased(name, (await box.readVersion(at)).body);
    }
  },
});

const alreadyReleased = (name: string, version: Version) => ({
  data: version,
  document: [text('Version ', code(name), ' is already released.')],
});

/** @throws LanyardError conflict: no provider of the version has an image. */
function refuseUnusable(name: string, { providers }: Version, lacking: readonly string[]): void {
  if (lacking.length < (providers ?? []).length) return;
  throw new LanyardError('conflict', `cannot release version ${name}: no image to download`, {
    service: 'box',
    details:
      lacking.length === 0
        ? ['The version has no provider.']
        : lacking.map((provider) => `Provider ${provider} has no image.`),
    hint:
      lacking.length === 0
        ? `Run \`lanyard box provider create ${name} PROVIDER\` to create a provider.`
        : `Run \`lanyard box upload ${name} ${lacking[0]} FILE\` to upload an image.`,
  });
}
