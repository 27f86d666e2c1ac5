import { unlessNotFound } from '../../errors.ts';
import { kvConfig as schema } from '../../objects/kv-settings.ts';
import type { Kind } from '../kind.ts';
import { isDefault, settingsOf } from '../kv-settings.ts';
import {
  isVersioned,
  kvVersion,
  mountOf,
  mountReference,
  mountScope,
  mountsWith,
  pickFields,
  rejectExisting,
  requireVersion2,
} from '../secrets-mounts.ts';

/** The settings of a key-value engine of version 2 (docs/protocol/kv.md#version-2). */
export const secretsKvConfig: Kind = {
  name: 'secrets.kv-config',
  service: 'secrets',
  description:
    'Settings of a key-value engine of version 2. They exist if one is not the default; deleting them restores the defaults.',
  scope: mountScope('secret'),
  schema,
  level: 2,
  guard: 're-read',
  references: (identity) => [mountReference(identity)],
  list: (services) => mountsWith(services, isVersioned, secretsKvConfig.read),
  async read(services, identity) {
    const mount = mountOf(identity);
    if ((await kvVersion(services, mount)) !== 2) return undefined;
    const data = (await unlessNotFound((await services.secrets()).readKvConfig({ mount })))?.data;
    const spec = data && pickFields(data, schema);
    return spec && !isDefault(schema, spec) ? { spec, version: '' } : undefined;
  },
  async create(services, { identity, spec }) {
    const mount = mountOf(identity);
    await requireVersion2(services, mount);
    rejectExisting(await secretsKvConfig.read(services, identity), `configuration of ${mount}/`);
    await (await services.secrets()).writeKvConfig({ mount, ...settingsOf(spec) });
  },
  async update(services, { identity, spec }) {
    await (await services.secrets()).writeKvConfig({ mount: mountOf(identity), ...settingsOf(spec) });
  },
  async remove(services, identity, live) {
    const { metadata_cas_required } = live.spec;
    const defaults = settingsOf(metadata_cas_required === undefined ? {} : { metadata_cas_required: false });
    await (await services.secrets()).writeKvConfig({ mount: mountOf(identity), ...defaults });
  },
};
