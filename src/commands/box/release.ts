import { isReleasedAlready } from '../../api/conditions/box.ts';
import { command } from '../../command/command.ts';
import { conflict } from '../../errors.ts';
import { code, textResult } from '../../output/document.ts';
import { boxArg, boxTag, versionArg } from './lib/box-names.ts';
import { writeAndConfirm } from './lib/confirmed-writes.ts';
import { providersWithoutImage, rejectRevoked, warnAboutMissingImages } from './lib/release-checks.ts';
import type { Version } from './lib/views.ts';

export default command({
  description:
    'The version needs at least one provider with a URL or an uploaded image. A released version is not changed.',
  examples: ['lanyard box release dev/web 1.0.0'],
  service: 'box',
  writes: 'after reads',
  args: { box: boxArg, version: versionArg },
  async run({ args }, ctx) {
    const box = await ctx.api.box();
    const at = { ...args.box, version: args.version };
    const name = `${boxTag(args.box)} ${args.version}`;
    const { body: version } = await box.readVersion(at);
    if (version.status === 'active') return alreadyReleased(name, version);
    rejectRevoked(name, version);
    const withoutImages = await providersWithoutImage(version, ctx);
    rejectUnusable(name, version, withoutImages);
    try {
      const body = await writeAndConfirm(
        () => box.releaseVersion(at),
        () => box.readVersion(at),
        ({ status }) => status === 'active',
        ctx.output,
      );
      warnAboutMissingImages(withoutImages, ctx.output);
      return textResult(body, 'Released version ', code(name), '.');
    } catch (error) {
      if (!isReleasedAlready(error)) throw error;
      return alreadyReleased(name, (await box.readVersion(at)).body);
    }
  },
});

const alreadyReleased = (name: string, version: Version) =>
  textResult(version, 'Version ', code(name), ' is already released.');

/** @throws LanyardError conflict: no provider of the version has an image. */
function rejectUnusable(name: string, { providers }: Version, withoutImages: readonly string[]): void {
  if (withoutImages.length < (providers ?? []).length) return;
  throw conflict(`cannot release version ${name}: no image to download`, {
    service: 'box',
    details:
      withoutImages.length === 0
        ? ['The version has no provider.']
        : withoutImages.map((provider) => `Provider ${provider} has no image.`),
    hint:
      withoutImages.length === 0
        ? `Run \`lanyard box provider create ${name} PROVIDER\` to create a provider.`
        : `Run \`lanyard box upload ${name} ${withoutImages[0]} FILE\` to upload an image.`,
  });
}
