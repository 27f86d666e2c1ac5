import type { ReadingRules } from '../../../core/schema/read.ts';
import type { Audit } from '../../audit/audit.ts';
import { badRequest } from '../../errors.ts';
import type { Leases } from '../../model/leases.ts';
import type { Migrations } from '../../model/migrations.ts';
import type { Namespace, Namespaces } from '../../model/namespaces.ts';
import type { Snapshots } from '../../model/snapshots.ts';
import type { Tokens } from '../../model/tokens.ts';
import type { Versions } from '../../model/versions.ts';
import type { WrappedResponses } from '../../model/wrapped-responses.ts';
import { readingRules } from '../../reading-rules.ts';
import { resourcesOf } from '../../resource.ts';

/** The parts of a namespace, and of the service, that `sys/` of the namespace manages. */
export interface SysContext extends Pick<Namespace, 'path' | 'mounts' | 'policies'> {
  readonly namespaces: Namespaces;
  readonly leases: Leases;
  readonly snapshots: Snapshots;
  readonly tokens: Tokens;
  readonly audit: Audit;
  readonly versions: Versions;
  readonly random: (length: number) => Uint8Array;
  readonly types: { readonly secret: readonly string[]; readonly auth: readonly string[] };
  readonly migrations: Migrations;
  readonly version: string;
  readonly wrapping: WrappedResponses;
  readonly seal: () => void;
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
