import type { JsonObject } from '../../../../wire/json.ts';
import * as s from '../../../core/schema/types.ts';
import { showMountConfig, shownConfig } from '../../model/mount-config.ts';
import type { Mount } from '../../model/mounts.ts';
import { pluginVersion } from '../../views.ts';

export const shownMount = s.named(
  'Mount',
  s.object({
    type: s.string(),
    description: s.string(),
    accessor: s.string(),
    uuid: s.string(),
    options: s.nullable(s.map(s.string())),
    config: s.object(shownConfig),
    local: s.boolean(),
    seal_wrap: s.boolean(),
    external_entropy_access: s.boolean(),
    plugin_version: s.string(),
    running_plugin_version: s.string(),
    running_sha256: s.string(),
    deprecation_status: s.optional(s.string()),
  }),
);

/** A mount for callers without a token, who see only its type. */
export const visibleMount = s.named(
  'VisibleMount',
  s.object({
    ...s.partial(shownMount.fields),
    type: s.string(),
    description: s.string(),
    options: s.nullable(s.map(s.string())),
  }),
);

/** @param version of the service, which has all engines built in */
export function showMount(mount: Mount, version: string): JsonObject {
  const { entry, isBuiltIn } = mount;
  return {
    type: entry.type,
    description: entry.description,
    accessor: entry.accessor,
    uuid: entry.uuid,
    options: entry.options ?? (isBuiltIn ? null : {}),
    config: showMountConfig(mount),
    local: entry.type === 'cubbyhole',
    seal_wrap: entry.type === 'system',
    external_entropy_access: false,
    plugin_version: '',
    running_plugin_version: pluginVersion(version),
    running_sha256: '',
    ...(!isBuiltIn && { deprecation_status: 'supported' }),
  };
}
