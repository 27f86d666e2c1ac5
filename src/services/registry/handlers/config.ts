import { HttpError } from '../../core/http/http-service.ts';
import { mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import type { Permissions } from '../acl/permissions.ts';
import { blockingQuery, writeResponse } from '../blocking-query.ts';
import { type Call, operations, readOperations } from '../call.ts';
import { deleteEntry, putEntry } from '../config/changes.ts';
import { decodeEntry } from '../config/decode.ts';
import { entriesOf, entryOf } from '../config/entries.ts';
import { type ConfigEntry, type EntryKind, entryTypes, isEntryKind, kindError } from '../config/entry.ts';
import { referencesOf } from '../config/references.ts';
import { validateEntry } from '../config/validate.ts';
import { rejectProxyDefaultsName } from '../config/validate-defaults.ts';
import { entryView, shownEntry } from '../config/view.ts';
import { serviceDefaultsFields } from '../filter/fields.ts';
import { cas, filter, rejectNamespace } from '../read-parameters.ts';
import { filterVisible, requirePermission } from '../require-permission.ts';
import { readSelection } from './selection.ts';

const operation = operations('Config entries');
const readOperation = readOperations('Config entries');
const query = { cas };

/**
 * Writes a config entry, with check-and-set if requested; returns whether it was written
 * (docs/protocol/registry.md#config-entries).
 * @throws HttpError 400, 403, 500: an invalid entry, or a chain would no longer compile
 */
export const putConfig = operation('putConfigEntry', 'Create or replace a config entry', {
  query,
  body: s.converted(s.either(...Object.values(entryTypes)), decodeEntry),
  bodyError: 'Request decoding failed',
  returns: s.boolean('Whether it was written; false: the check-and-set failed.'),
  async handle(call) {
    const { permissions } = call;
    const index = casIndex(call.query());
    const entry: ConfigEntry | undefined = await call.body();
    if (!entry) throw new HttpError(400, 'Request decoding failed: a config entry must be an object');
    if (entry.Namespace && entry.Namespace !== 'default') rejectNamespace();
    validateEntry(entry);
    requireWrite(permissions, entry.Kind, entry.Name);
    for (const service of referencesOf(entry)) requirePermission(permissions, 'service:read', service);
    return writeResponse(call, await putEntry(call.registry.state, entry, index));
  },
});

/** Deletes a config entry; returns an empty object or, with check-and-set, whether it was deleted. */
export const deleteConfig = operation('deleteConfigEntry', 'Delete a config entry', {
  query,
  returns: s.either(s.object({}), s.boolean('With `cas`: whether it was deleted.')),
  async handle(call) {
    const { kind, name } = kindAndName(call, 400);
    rejectProxyDefaultsName(kind, name);
    const index = casIndex(call.query());
    requireWrite(call.permissions, kind, name);
    const isDeleted = await deleteEntry(call.registry.state, kind, name, index);
    return writeResponse(call, index === undefined ? {} : isDeleted);
  },
});

export const getConfig = readOperation('getConfigEntry', 'Read a config entry', {
  returns: shownEntry,
  errors: [400, 404],
  handle(call) {
    const { kind, name } = kindAndName(call);
    if (!canRead(call.permissions, kind, name)) {
      throw new HttpError(403, call.permissions.denialMessage('service:read', name));
    }
    return blockingQuery(call, ['config'], (view) => {
      const value = entryOf(view, kind, name);
      if (value) return { value: entryView(value) };
      return { status: 404, bytes: Buffer.from(`Config entry not found for "${kind}" / "${name}"`) };
    });
  },
});

/** The entries of a kind that the caller may read; service entries can be filtered. */
export const listConfig = readOperation('listConfigEntries', 'List config entries of a kind', {
  query: { filter },
  returns: s.list(shownEntry),
  async handle(call) {
    const { kind } = kindAndName(call);
    const { filter } = call.query();
    if (kind !== 'service-defaults' && filter)
      throw new HttpError(500, `filtering not supported for config entry kind=${kind}`);
    const select = await readSelection(filter, serviceDefaultsFields);
    return blockingQuery(call, ['config'], async (view) => {
      const { items, filtered } = await filterVisible(await entriesOf(view, kind), ({ Name }) =>
        canRead(call.permissions, kind, Name),
      );
      return { value: await select(await mapInSlices(items, entryView)), filtered };
    });
  },
});

/** A path without a kind or a name: always an error. */
const rejected = (id: string, missing: string, message: string) =>
  operation(id, `Requires ${missing}; always an error`, {
    responses: {},
    errors: [404],
    handle() {
      throw new HttpError(404, message);
    },
  });

export const rejectMissingKind = rejected(
  'rejectConfigWithoutKind',
  'a kind',
  'Must provide either a kind or both kind and name',
);
export const rejectMissingName = rejected(
  'rejectConfigWithoutName',
  'a name',
  'Must provide both a kind and name to delete',
);

function kindAndName(
  { params: { kind = '', name = '' } }: Call,
  errorStatus = 500,
): { kind: EntryKind; name: string } {
  if (!isEntryKind(kind)) throw new HttpError(errorStatus, kindError(kind));
  return { kind, name };
}

const casIndex = ({ cas: index }: { readonly cas?: number | bigint }): number | undefined =>
  index === undefined ? undefined : Number(index);

/** Every caller may read the defaults of proxies; operators may write them. */
function canRead(permissions: Permissions, kind: EntryKind, name: string): boolean {
  return kind === 'proxy-defaults' || permissions.allows('service:read', name);
}

function requireWrite(permissions: Permissions, kind: EntryKind, name: string): void {
  if (kind === 'proxy-defaults') requirePermission(permissions, 'operator:write', '');
  else requirePermission(permissions, 'service:write', name);
}
