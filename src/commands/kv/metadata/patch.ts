import { command, flag } from '../../../command/command.ts';
import { flagsOf, givenFields } from '../../../command/object-flags.ts';
import { usage } from '../../../errors.ts';
import { kvMetadata } from '../../../objects/kv-settings.ts';
import { writtenResult } from '../../../output/diff.ts';
import { isObject } from '../../../wire/objects.ts';
import { methodFlag, patchOrRewrite } from '../lib/merge-patch.ts';
import { changeSettings } from '../lib/mount-settings.ts';
import { describeMissingSecret, mountFlag, pathArg, requireVersionedSecret } from '../lib/secret-path.ts';

const settingFlags = flagsOf(kvMetadata);

export default command({
  description:
    'Changes the given settings and keys of the custom metadata; others are unchanged. Without the capability "patch", or if the service does not support PATCH, the metadata is read, merged and written. Metadata is not secret.',
  examples: [
    'lanyard kv metadata patch secret/app/db --custom-metadata owner=ops --custom-metadata team=web',
    'lanyard kv metadata patch secret/app/db --remove-custom-metadata team --max-versions 5',
  ],
  service: 'secrets',
  writes: 'after reads',
  returnsList: () => true,
  args: { path: pathArg },
  flags: {
    ...settingFlags,
    customMetadata: flag.map('K=V', 'custom metadata to add or change; repeatable'),
    removeCustomMetadata: flag.texts('K', 'custom metadata to remove; repeatable'),
    method: methodFlag,
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    const { customMetadata = {}, removeCustomMetadata: removed, method } = flags;
    const settings = givenFields(kvMetadata, { ...flags, customMetadata: undefined });
    const both = removed.find((key) => Object.hasOwn(customMetadata, key));
    if (both !== undefined) throw usage(`custom metadata "${both}" cannot be both changed and removed`);
    const patch = { ...customMetadata, ...Object.fromEntries(removed.map((key) => [key, null])) };
    const hasPatch = Object.keys(patch).length > 0;
    if (!hasPatch && Object.keys(settings).length === 0)
      throw usage(
        'nothing to change: specify a setting, --custom-metadata K=V or --remove-custom-metadata K',
      );
    const secrets = await ctx.api.secrets();
    const secretPath = await requireVersionedSecret(secrets, args.path, flags.mount);
    const { mount, path, name } = secretPath;
    const key = { mount, path };
    const read = () => secrets.readKvMetadata(key).catch(describeMissingSecret(secretPath));
    const merged = (existing: Readonly<Record<string, unknown>> | null | undefined) => ({
      ...settings,
      ...(hasPatch && { custom_metadata: patchedCustom(existing, patch) }),
    });
    const written = await changeSettings(
      merged,
      (before) =>
        patchOrRewrite(
          method,
          () =>
            secrets
              .patchKvMetadata({
                ...key,
                ...settings,
                ...(hasPatch && { custom_metadata: patch }),
                ...expectedMetadata(before),
              })
              .catch(describeMissingSecret(secretPath)),
          async () => {
            const { data } = (await read()).body;
            return secrets.writeKvMetadata({ ...key, ...merged(data), ...expectedMetadata(data) });
          },
        ),
      read,
      ctx.output,
    );
    return writtenResult('metadata of', name, { path: name }, written);
  },
});

type CustomMetadata = Readonly<Record<string, string>>;

/** The custom metadata of settings after a patch, in which null removes a key. */
function patchedCustom(
  settings: Readonly<Record<string, unknown>> | null | undefined,
  patch: Readonly<Record<string, string | null>>,
): CustomMetadata {
  const { custom_metadata: existing } = settings ?? {};
  const custom = isObject(existing) ? (existing as CustomMetadata) : {};
  return Object.fromEntries(
    Object.entries<string | null>({ ...custom, ...patch }).flatMap(([key, value]) =>
      value === null ? [] : [[key, value]],
    ),
  );
}

/** OpenBao requires the version of the metadata if a mount has "metadata_cas_required"; other products have none. */
function expectedMetadata(settings: Readonly<Record<string, unknown>> | null | undefined) {
  const { metadata_cas_required: isRequired, current_metadata_version: version } = settings ?? {};
  return isRequired === true && typeof version === 'number' ? { metadata_cas: version } : {};
}
