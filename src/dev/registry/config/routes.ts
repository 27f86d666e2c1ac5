import { decode } from '../../http/fields.ts';
import { type Answer, HttpRefusal } from '../../http/service.ts';
import type { Authority } from '../acl/authority.ts';
import { ChainRefusal } from '../chain/chain.ts';
import type { Call } from '../http/call.ts';
import { demand, visible } from '../http/demand.ts';
import { unsignedOf } from '../http/parameters.ts';
import { read, written } from '../http/read.ts';
import { deleteEntry, putEntry } from './changes.ts';
import { decodeEntry } from './decode.ts';
import { entriesOf, entryOf } from './entries.ts';
import { type EntryKind, isEntryKind } from './entry.ts';
import { referencesOf } from './graph.ts';
import { EntryError, validateEntry } from './validate.ts';

/**
 * Puts a config entry, with check-and-set if asked; answers whether it was done
 * (docs/protocol/registry.md#config-entries).
 */
export async function putConfig(call: Call): Promise<Answer> {
  const { authority, request } = call;
  const index = casOf(call);
  const entry = await decode(request, 'Request decoding failed', decodeEntry);
  if (entry.Namespace && entry.Namespace !== 'default') {
    throw new HttpRefusal(400, 'Invalid query parameter: "ns" - Namespaces are a Consul Enterprise feature');
  }
  try {
    validateEntry(entry);
  } catch (error) {
    throw error instanceof EntryError ? new HttpRefusal(500, error.message) : error;
  }
  demandWrite(authority, entry.Kind, entry.Name);
  for (const service of referencesOf(entry)) demand(authority, 'service:read', service);
  return written(call, await refusing(putEntry(call.registry.state, entry, index)));
}

/** Deletes a config entry; answers an empty object or, with check-and-set, whether it was done. */
export async function deleteConfig(call: Call): Promise<Answer> {
  const { kind, name } = placeOf(call);
  const index = casOf(call);
  demandWrite(call.authority, kind, name);
  const gone = await refusing(deleteEntry(call.registry.state, kind, name, index));
  return written(call, index === undefined ? {} : gone);
}

export function getConfig(call: Call): Promise<Answer> {
  const { kind, name } = placeOf(call);
  if (!mayRead(call.authority, kind, name)) {
    throw new HttpRefusal(403, call.authority.denial('service:read', name));
  }
  return read(call, ['config'], (view) => {
    const value = entryOf(view, kind, name);
    if (value) return { value };
    return { status: 404, bytes: Buffer.from(`Config entry not found for "${kind}" / "${name}"`) };
  });
}

export function listConfig(call: Call): Promise<Answer> {
  const { kind } = placeOf(call);
  return read(call, ['config'], (view) => {
    const seen = visible(entriesOf(view, kind), ({ Name }) => mayRead(call.authority, kind, Name));
    return { value: seen.items, filtered: seen.filtered };
  });
}

export function missingKind(): never {
  throw new HttpRefusal(404, 'Must provide either a kind or both kind and name');
}

export function missingName(): never {
  throw new HttpRefusal(404, 'Must provide both a kind and name to delete');
}

/** @throws HttpRefusal 500: a chain would not compile any more */
async function refusing(change: Promise<boolean>): Promise<boolean> {
  try {
    return await change;
  } catch (error) {
    throw error instanceof ChainRefusal ? new HttpRefusal(500, error.message) : error;
  }
}

function placeOf({ params: { kind = '', name = '' } }: Call): { kind: EntryKind; name: string } {
  if (!isEntryKind(kind)) throw new HttpRefusal(500, `invalid config entry kind: ${kind}`);
  return { kind, name };
}

function casOf({ request }: Call): number | undefined {
  const index = unsignedOf(request, 'cas');
  return index === undefined ? undefined : Number(index);
}

/** The proxies' defaults are for every service to read, and for operators to write. */
function mayRead(authority: Authority, kind: EntryKind, name: string): boolean {
  return kind === 'proxy-defaults' || authority.may('service:read', name);
}

function demandWrite(authority: Authority, kind: EntryKind, name: string): void {
  if (kind === 'proxy-defaults') demand(authority, 'operator:write', '');
  else demand(authority, 'service:write', name);
}
