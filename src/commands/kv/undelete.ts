import { command, passWarnings } from '../../command.ts';
import { settle } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import { mountFlag, pathArg, versionedAt } from './place.ts';
import { allVersions, namedVersions, versionsFlag, wasThere } from './versions.ts';

export default command({
  description: 'Restores deleted versions. Destroyed versions cannot be restored.',
  examples: ['lanyard kv undelete secret/app/db --versions 3'],
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
    const answer = await settle(
      () => secrets.undeleteKv({ mount, path, versions }),
      () => allVersions(secrets, place, versions, ({ deletion_time }) => deletion_time === ''),
    );
    passWarnings(ctx.io, answer?.body);
    const end = await wasThere(secrets, place, { versions, living: true });
    return {
      data: answer?.body ?? null,
      document: [text(`Undeleted version ${versions.join(', ')} of `, code(name), `${end}.`)],
    };
  },
});
