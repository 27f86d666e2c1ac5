import type { ReadingRules } from '../../../core/schema/read.ts';
import type { Core, CoreParts } from '../../core.ts';
import { badRequest } from '../../errors.ts';
import type { Migrations } from '../../model/migrations.ts';
import type { Namespace } from '../../model/namespaces.ts';
import type { Snapshots } from '../../model/snapshots.ts';
import type { Versions } from '../../model/versions.ts';
import { readingRules } from '../../reading-rules.ts';
import { resourcesOf } from '../../resource.ts';

/** The parts of a namespace, and of the service, that `sys/` of the namespace manages. */
export interface SysContext
  extends Pick<Namespace, 'path' | 'mounts' | 'policies'>,
    Omit<Core, 'reaper'>,
    Pick<CoreParts, 'random' | 'version' | 'seal'> {
  readonly snapshots: Snapshots;
  readonly versions: Versions;
  readonly types: { readonly secret: readonly string[]; readonly auth: readonly string[] };
  readonly migrations: Migrations;
}

export const sysResource = resourcesOf<SysContext>();

/** How requests to `sys/` are read: `config` of a mount has its own error. */
export const sysRules: ReadingRules = {
  ...readingRules,
  invalid(path, reason, value) {
    if (path[0] === 'config' && path.length > 1)
      throw badRequest('unable to convert given mount config information');
    readingRules.invalid(path, reason, value);
  },
};
