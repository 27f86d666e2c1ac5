import { command, passWarnings } from '../../command.ts';
import { settle } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import { mountFlag, pathArg, versionedAt } from './place.ts';
import { allVersions, namedVersions, versionsFlag, wasThere } from './versions.ts';

export default command({
  description: 'Removes the data of versions permanently; their metadata is kept.',
  examples: ['lanyard kv destroy secret/app/db --versions 1,2'],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  args: { path: pathArg },
  flags: { versions: versionsFlag, mount: mountFlag },
  async run({ args, flags }, ctx) {
    const versions = namedVersions(flags.versions);
    const secrets = await ctx.api.secrets();
    const place = await versionedAt(secrets, args.path, flags.mount);
    const { mount, path, name } = place;
    const these = `version ${versions.join(', ')} of `;
    await ctx.io.confirm(`Destroy ${these}${name}? This cannot be undone.`);
    const answer = await settle(
      () => secrets.destroyKv({ mount, path, versions }),
      () => allVersions(secrets, place, versions, ({ destroyed }) => destroyed),
    );
    passWarnings(ctx.io, answer?.body);
    const end = await wasThere(secrets, place, { versions, living: false });
    return { data: answer?.body ?? null, document: [text(`Destroyed ${these}`, code(name), `${end}.`)] };
  },
});
