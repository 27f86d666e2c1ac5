import { parseDuration } from '../../../../wire/duration.ts';
import type { JsonObject } from '../../../../wire/json.ts';
import { mapInSlices } from '../../../core/in-slices.ts';
import * as s from '../../../core/schema/types.ts';
import type { Storage } from '../../../core/store/storage.ts';
import { tableOf } from '../../../core/store/table.ts';
import { badRequest, notFound, orNotFound } from '../../errors.ts';
import { tableNamesBelow } from '../../model/names-below.ts';
import { resourcesOf } from '../../resource.ts';
import { scanned, scanResponse } from './scan-response.ts';

export const secretTable = tableOf('secret/', s.map(s.json()));

/** Version 1: each path is a secret, an object with any fields. */
export const secret = resourcesOf<Storage>()({
  summary: 'Read, write, list and delete secrets with any fields.',
  hasAnyFields: true,
  fields: { ttl: s.optional(s.json('Lease duration of reads.')) },
  returns: { read: s.anyObject('The fields.'), list: scanned },
  read(storage, { ttlLimits }, path) {
    const data = orNotFound(secretTable.get(storage, path));
    return { data, duration: leaseDurationOf(data) ?? ttlLimits.default };
  },
  async list(storage, _request, path) {
    const prefix = path === '' ? '' : `${path}/`;
    const keys = await tableNamesBelow(storage, secretTable, prefix);
    if (keys.length === 0) throw notFound();
    return { data: { keys } };
  },
  async scan(storage, _request, path) {
    const prefix = path === '' ? '' : `${path}/`;
    const keys = secretTable.keys(storage, prefix);
    return scanResponse(await mapInSlices(keys, (key) => key.slice(prefix.length)));
  },
  async write(storage, { data }, path) {
    if (path === '') throw badRequest('missing path');
    if (Object.keys(data).length === 0) throw badRequest('missing data fields');
    await storage.write([secretTable.put(path, data)]);
  },
  delete: (storage, _request, path) => storage.write([secretTable.remove(path)]),
});

/** The secret's own `ttl` (or `lease`, its older name), if it is a duration. */
function leaseDurationOf(data: JsonObject): number | undefined {
  const name = ['ttl', 'lease'].find((each) => Object.hasOwn(data, each)) ?? 'ttl';
  const ttl = Object.hasOwn(data, name) ? data[name] : undefined;
  const seconds = typeof ttl === 'string' || typeof ttl === 'number' ? parseDuration(ttl) : undefined;
  return seconds === undefined || seconds < 0 ? undefined : Math.trunc(seconds);
}
