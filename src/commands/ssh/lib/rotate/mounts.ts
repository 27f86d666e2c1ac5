import { isExistingCa, isMissingMount, isMountPathTaken } from '../../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../../api/secrets.ts';
import type { Context } from '../../../../command/context.ts';
import { confirmDelete, confirmWrite, insteadOf, LanyardError, unlessNotFound } from '../../../../errors.ts';
import { isEqual } from '../../../../output/diff.ts';
import type { SshCaBody } from '../../../../wire/secrets.ts';
import { mountMark, readMountMark } from './marks.ts';
import { readSshMount, type SshMount } from './mount-rotation.ts';
import { rotationMounts } from './paths.ts';
import { copyRoles, expiryOf, readRoles } from './roles.ts';
import type { Step } from './steps.ts';
import type { MountRotation } from './types.ts';

// The writes of a rotation on services with one CA per mount (docs/adr/0091-rotation-of-ssh-cas.md).

const pollMs = 50;

/** The writes of `start`. The CA is last: until it exists, no host trusts the new mount. */
export async function startMounts(
  secrets: SecretsClient,
  { mount }: MountRotation,
  keyPair: SshCaBody,
): Promise<readonly Step[]> {
  const path = rotationMounts(mount).new;
  const [current, next] = [await readSshMount(secrets, mount), await readSshMount(secrets, path)];
  if (!current) throw movedError(mount);
  return [
    ...(next ? [] : [enableStep(secrets, current, path)]),
    ...(await copySteps(secrets, current, next ?? { ...current, path, ca: undefined })),
    {
      done: `Created the CA of ${path}/.`,
      run: () =>
        confirmWrite(
          // Another operator may have created it in the same moment: the rotation has one new CA.
          () => secrets.createCa({ mount: path, ...keyPair }).catch(insteadOf(isExistingCa, undefined)),
          async () => ({
            done: (await readSshMount(secrets, path))?.ca !== undefined,
            found: `${path}/ has no CA`,
          }),
        ),
    },
  ];
}

/** The writes of `switch`: the new mount gets the path, roles and settings of the old one. */
export async function switchMounts(
  secrets: SecretsClient,
  { mount }: MountRotation,
  ctx: Context,
): Promise<readonly Step[]> {
  const paths = rotationMounts(mount);
  const [current, next, former] = [
    await readSshMount(secrets, mount),
    await readSshMount(secrets, paths.new),
    await readSshMount(secrets, paths.old),
  ];
  const [old, fresh] = [former ?? current, next ?? current];
  if (!old || !fresh) throw movedError(mount);
  const record = async () => {
    // In a dry run, the old mount is still at its path.
    const path = (await readSshMount(secrets, paths.old)) ? paths.old : mount;
    const until = await expiryOf(secrets, path, (await readRoles(secrets, path)).values(), ctx);
    await describe(secrets, paths.old, mountMark(mount, until));
  };
  return [
    ...(next && !former ? await copySteps(secrets, old, next) : []),
    ...(former ? [] : [moveStep(secrets, mount, paths.old, ctx)]),
    ...(next ? [moveStep(secrets, paths.new, mount, ctx)] : []),
    ...describeSteps(secrets, mount, fresh.description, old.description ?? ''),
    { done: 'Recorded when the certificates of the old CA expire.', run: record },
  ];
}

/** The writes of `rollback`: the old mount gets its path back, with the roles of today. */
export async function rollBackMounts(
  secrets: SecretsClient,
  { mount }: MountRotation,
  ctx: Context,
): Promise<readonly Step[]> {
  const paths = rotationMounts(mount);
  const [current, former] = [await readSshMount(secrets, mount), await readSshMount(secrets, paths.old)];
  if (!former) throw movedError(paths.old);
  const back = moveStep(secrets, paths.old, mount, ctx);
  if (!current) return [back];
  const { description = '' } = former;
  // The mark is not true any more as soon as the old CA signs.
  const restored = readMountMark(description) ? (current.description ?? '') : description;
  return [
    ...(await copySteps(secrets, current, former)),
    ...describeSteps(secrets, paths.old, description, restored),
    ...describeSteps(secrets, mount, current.description, newDescription(mount)),
    moveStep(secrets, mount, paths.new, ctx),
    back,
  ];
}

/** Disables a mount of the rotation, with its CA. */
export const disableStep = (secrets: SecretsClient, path: string): Step => ({
  done: `Disabled ${path}/.`,
  run: () =>
    confirmDelete(
      () => secrets.disableEngine({ path }),
      () => secrets.readEngine({ path }),
      'the mount',
      isMissingMount,
    ),
});

const newDescription = (mount: string): string => `New CA of ${mount}/, not in use yet.`;

const movedError = (path: string) =>
  new LanyardError('conflict', `${path}/ was moved or disabled at the same time`, {
    service: 'secrets',
    hint: 'Run `lanyard ssh ca rotate status` to see the current phase.',
  });

function enableStep(secrets: SecretsClient, from: SshMount, path: string): Step {
  const { config, options, plugin_version: version, local, seal_wrap } = from;
  const settings = {
    type: 'ssh',
    description: newDescription(from.path),
    ...(config && { config }),
    ...(options && { options }),
    ...(typeof version === 'string' && version !== '' && { plugin_version: version }),
    ...(local === true && { local }),
    ...(seal_wrap === true && { seal_wrap }),
  };
  return {
    done: `Enabled the SSH engine at ${path}/.`,
    run: () =>
      confirmWrite(
        () => secrets.enableEngine({ path, ...settings }).catch(insteadOf(isMountPathTaken, undefined)),
        async () => ({
          done: (await readSshMount(secrets, path)) !== undefined,
          found: `${path}/ does not exist`,
        }),
      ),
  };
}

/** The writes after which a mount has the settings, roles and zero-address roles of another one. */
async function copySteps(secrets: SecretsClient, from: SshMount, to: SshMount): Promise<readonly Step[]> {
  const stored = new Map<string, unknown>(Object.entries(to.config ?? {}));
  const settings = Object.entries(from.config ?? {}).filter(
    ([name, value]) => name !== 'force_no_cache' && !isEqual(value, stored.get(name)),
  );
  const zeroAddress = async ({ path }: SshMount): Promise<string> =>
    ((await unlessNotFound(secrets.readZeroAddress({ mount: path })))?.data.roles ?? []).join(',');
  const [wanted, current] = [await zeroAddress(from), await zeroAddress(to)];
  return [
    ...(settings.length === 0
      ? []
      : [
          {
            done: `Changed the settings of ${to.path}/.`,
            run: () => secrets.tuneEngine({ path: to.path, ...Object.fromEntries(settings) }),
          },
        ]),
    ...(await copyRoles(secrets, from.path, to.path)),
    ...(wanted === current
      ? []
      : [
          {
            done: `Copied the zero-address roles to ${to.path}/.`,
            run: () =>
              wanted === ''
                ? secrets.deleteZeroAddress({ mount: to.path })
                : secrets.putZeroAddress({ mount: to.path, roles: wanted }),
          },
        ]),
  ];
}

const describeSteps = (
  secrets: SecretsClient,
  path: string,
  before: string | undefined,
  description: string,
): readonly Step[] => {
  if ((before ?? '') === description) return [];
  return [
    {
      done: `Changed the description of ${path}/.`,
      run: () => describe(secrets, path, description),
    },
  ];
};

const describe = (secrets: SecretsClient, path: string, description: string) =>
  confirmWrite(
    () => secrets.tuneEngine({ path, description }),
    async () => ({
      done: (await secrets.readEngine({ path })).body.data.description === description,
      found: `${path}/ has another description`,
    }),
  );

const moveStep = (secrets: SecretsClient, from: string, to: string, ctx: Context): Step => ({
  done: `Moved ${from}/ to ${to}/.`,
  run: async () => {
    const response = await confirmWrite(
      () => secrets.remount({ from, to }),
      async () => ({
        done:
          (await readSshMount(secrets, from)) === undefined &&
          (await readSshMount(secrets, to)) !== undefined,
        found: `the SSH engine is at ${from}/`,
      }),
    );
    const id = response?.body?.data.migration_id;
    for (;;) {
      const state = id && (await unlessNotFound(secrets.readRemount({ migration_id: id })));
      const status = state ? state.data.migration_info.status : 'success';
      if (status === 'success') return;
      if (status === 'failure')
        throw new LanyardError('failure', `cannot move ${from}/ to ${to}/: the move failed`, {
          service: 'secrets',
          hint: `See the log of the service for the migration ID ${id}.`,
        });
      await ctx.system.sleep(pollMs);
    }
  },
});
