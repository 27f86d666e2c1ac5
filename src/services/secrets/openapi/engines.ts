import type { Operations } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { cubbyholeRoutes, unversionedRoutes, versionedRoutes } from '../routes.ts';
import { mountOperations, type PathResults, type Result } from './mount.ts';
import { settings } from './schemas.ts';

const anyFields: PathResults = {
  read: { data: s.anyObject('The fields.') },
  body: s.anyObject('The fields.'),
};
const version = s.integer('The version to read; 0: the latest.', { minimum: 0, default: 0 });
const written: Result = { data: s.ref('SecretVersion') };
/** A scan without keys has no data. */
const scanned: Result = { data: s.object({ 'keys?': s.array(s.text()) }) };
const detailed: PathResults = {
  list: { data: s.object({ 'keys?': s.array(s.text()), 'key_info?': s.map(s.anyObject()) }) },
};

const ofVersion = (field: string): Result => ({
  data: s.object({ [field]: s.nullable(s.anyObject()), metadata: s.ref('SecretVersion') }),
});

export const engineOperations: Operations = {
  ...mountOperations({
    path: 'secret',
    tag: 'Key-value engine, version 2',
    routes: versionedRoutes,
    results: {
      config: { read: { data: s.object(settings) } },
      'data/*key': { read: ofVersion('data'), write: written, patch: written, query: { version } },
      'subkeys/*key': {
        read: ofVersion('subkeys'),
        query: { version, depth: s.integer('Maximum depth of names to show; 0: unlimited.', { default: 0 }) },
      },
      metadata: { list: scanned },
      'metadata/*key': { read: { data: s.ref('SecretMetadata') }, list: scanned },
      'detailed-metadata': detailed,
      'detailed-metadata/*key': detailed,
    },
  }),
  ...mountOperations({
    path: 'kv',
    tag: 'Key-value engine, version 1',
    routes: unversionedRoutes,
    results: { '*key': anyFields },
  }),
  ...mountOperations({
    path: 'cubbyhole',
    tag: 'Cubbyhole',
    routes: cubbyholeRoutes,
    results: { '*path': anyFields },
  }),
};
