import { command, passWarnings } from '../../command.ts';
import { isNothing, settle } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import { buried, mountFlag, pathArg, plainPath, refuseVersion1, secretAt } from './place.ts';
import { allVersions, versionsFlag, wasThere } from './versions.ts';

export default command({
  description:
    'Version 2: deletes the latest version or --versions; restore them with "kv undelete". Version 1: deletes the secret permanently.',
  examples: ['lanyard kv delete secret/app/db', 'lanyard kv delete secret/app/db --versions 2,3'],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  args: { path: pathArg },
  flags: { versions: versionsFlag, mount: mountFlag },
  async run({ args, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const place = await secretAt(secrets, args.path, flags.mount);
    const { mount, path, name } = place;
    const { versions } = flags;
    if (place.version === 1) {
      if (versions) refuseVersion1(place);
      await ctx.io.confirm(`Delete ${name}? This cannot be undone.`);
      const answer = await settle(
        () => secrets.remove({ path: plainPath(place) }),
        () => gone(secrets.readKv1({ path: plainPath(place) })),
      );
      passWarnings(ctx.io, answer?.body);
      return { data: answer?.body ?? null, document: [text('Deleted ', code(name), ', if it existed.')] };
    }
    const answer = await settle(
      () =>
        versions ? secrets.deleteKvVersions({ mount, path, versions }) : secrets.deleteKv({ mount, path }),
      () =>
        versions
          ? allVersions(secrets, place, versions, ({ deletion_time }) => deletion_time !== '')
          : gone(secrets.readKv({ mount, path })),
    );
    passWarnings(ctx.io, answer?.body);
    // After a lost response, the secret was already checked.
    const end = answer || versions ? await wasThere(secrets, place, { versions, living: true }) : '';
    const what = versions ? `Deleted version ${versions.join(', ')} of ` : 'Deleted the latest version of ';
    return {
      data: answer?.body ?? null,
      document: [text(what, code(name), `${end}. To restore it, run "lanyard kv undelete".`)],
    };
  },
});

async function gone(reading: Promise<unknown>): Promise<{ readonly done: boolean; readonly found: string }> {
  try {
    await reading;
    return { done: false, found: 'the secret still exists' };
  } catch (error) {
    if (isNothing(error) || buried(error)) return { done: true, found: 'the secret does not exist' };
    throw error;
  }
}
