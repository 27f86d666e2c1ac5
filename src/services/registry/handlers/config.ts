import { decodeBody } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { mapInSlices } from '../../core/in-slices.ts';
import type { Permissions } from '../acl/permissions.ts';
import { blockingQuery, writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { deleteEntry, putEntry } from '../config/changes.ts';
import { decodeEntry } from '../config/decode.ts';
import { entriesOf, entryOf } from '../config/entries.ts';
import { type EntryKind, isEntryKind, kindError } from '../config/entry.ts';
import { referencesOf } from '../config/references.ts';
import { validateEntry } from '../config/validate.ts';
import { rejectProxyDefaultsName } from '../config/validate-defaults.ts';
import { entryView } from '../config/view.ts';
import { serviceDefaultsFields } from '../filter/fields.ts';
import { rejectNamespace, unsignedParameter } from '../read-parameters.ts';
import { filterVisible, requirePermission } from '../require-permission.ts';
import { readSelection } from './selection.ts';

/**
 * Writes a config entry, with check-and-set if requested; returns whether it was written
 * (docs/protocol/registry.md#config-entries).
 * @throws HttpError 400, 403, 500: an invalid entry, or a chain would no longer compile
 */
export async function putConfig(call: Call): Promise<HttpResponse> {
  const { permissions, request } = call;
  const index = casIndex(call);
  const entry = await decodeBody(request, 'Request decoding failed', decodeEntry);
  if (entry.Namespace && entry.Namespace !== 'default') rejectNamespace();
  validateEntry(entry);
  requireWrite(permissions, entry.Kind, entry.Name);
  for (const service of referencesOf(entry)) requirePermission(permissions, 'service:read', service);
  return writeResponse(call, await putEntry(call.registry.state, entry, index));
}

/** Deletes a config entry; returns an empty object or, with check-and-set, whether it was deleted. */
export async function deleteConfig(call: Call): Promise<HttpResponse> {
  const { kind, name } = kindAndName(call, 400);
  rejectProxyDefaultsName(kind, name);
  const index = casIndex(call);
  requireWrite(call.permissions, kind, name);
  const isDeleted = await deleteEntry(call.registry.state, kind, name, index);
  return writeResponse(call, index === undefined ? {} : isDeleted);
}

export function getConfig(call: Call): Promise<HttpResponse> {
  const { kind, name } = kindAndName(call);
  if (!canRead(call.permissions, kind, name)) {
    throw new HttpError(403, call.permissions.denialMessage('service:read', name));
  }
  return blockingQuery(call, ['config'], (view) => {
    const value = entryOf(view, kind, name);
    if (value) return { value: entryView(value) };
    return { status: 404, bytes: Buffer.from(`Config entry not found for "${kind}" / "${name}"`) };
  });
}

/** The entries of a kind that the caller may read; those of services can be filtered. */
export async function listConfig(call: Call): Promise<HttpResponse> {
  const { kind } = kindAndName(call);
  if (kind !== 'service-defaults' && call.request.query.get('filter'))
    throw new HttpError(500, `filtering not supported for config entry kind=${kind}`);
  const select = await readSelection(call.request, serviceDefaultsFields);
  return blockingQuery(call, ['config'], async (view) => {
    const { items, filtered } = await filterVisible(await entriesOf(view, kind), ({ Name }) =>
      canRead(call.permissions, kind, Name),
    );
    return { value: await select(await mapInSlices(items, entryView)), filtered };
  });
}

export function rejectMissingKind(): never {
  throw new HttpError(404, 'Must provide either a kind or both kind and name');
}

export function rejectMissingName(): never {
  throw new HttpError(404, 'Must provide both a kind and name to delete');
}

function kindAndName(
  { params: { kind = '', name = '' } }: Call,
  errorStatus = 500,
): { kind: EntryKind; name: string } {
  if (!isEntryKind(kind)) throw new HttpError(errorStatus, kindError(kind));
  return { kind, name };
}

function casIndex({ request }: Call): number | undefined {
  const index = unsignedParameter(request, 'cas');
  return index === undefined ? undefined : Number(index);
}

/** Every caller may read the defaults of proxies; operators may write them. */
function canRead(permissions: Permissions, kind: EntryKind, name: string): boolean {
  return kind === 'proxy-defaults' || permissions.allows('service:read', name);
}

function requireWrite(permissions: Permissions, kind: EntryKind, name: string): void {
  if (kind === 'proxy-defaults') requirePermission(permissions, 'operator:write', '');
  else requirePermission(permissions, 'service:write', name);
}
