import { Routes } from '../../http/routes.ts';
import type { Engine, EngineParts, EngineRequest, EngineResponse } from '../engine.ts';
import { unsupportedOperation } from '../refusals.ts';
import { deleteData, patchData, readData, readSubkeys, writeData } from './data.ts';
import { versionedPaths } from './help.ts';
import { listKeys, patchMetadata, readMetadata, removeKey, writeMetadata } from './metadata.ts';
import { SecretStore } from './secret-store.ts';
import { givenSettings, showSettings } from './settings.ts';
import { deleteThese, destroyThese, undeleteThese } from './versions.ts';

type Answer = EngineResponse | undefined;
/** @param key the rest of the path. */
type Handler = (store: SecretStore, request: EngineRequest, key: string) => Answer | Promise<Answer>;

const routes = new Routes<Handler>()
  .on('read', 'config', (store) => ({ data: showSettings(store.settings()) }))
  .on('create|update', 'config', writeConfig)
  .on('read', 'data/*key', readData)
  .on('create|update', 'data/*key', writeData)
  .on('patch', 'data/*key', patchData)
  .on('delete', 'data/*key', deleteData)
  .on('read', 'subkeys/*key', readSubkeys)
  .on('read', 'metadata/*key', readMetadata)
  .on('create|update', 'metadata/*key', writeMetadata)
  .on('patch', 'metadata/*key', patchMetadata)
  .on('delete', 'metadata/*key', removeKey)
  .on('list', 'metadata', (store) => listKeys(store, ''))
  .on('list', 'metadata/*key', (store, _request, key) => listKeys(store, key))
  .on('create|update', 'delete/*key', deleteThese)
  .on('create|update', 'undelete/*key', undeleteThese)
  .on('create|update', 'destroy/*key', destroyThese);

/** The paths of one key, whose existence decides whether a write creates or updates. */
const ofKey = /^(?:data|metadata)\/(.+)$/s;

/** Version 2: each key has versions and metadata. */
export function versionedEngine({ storage }: EngineParts): Engine {
  const store = new SecretStore(storage);
  return {
    type: 'kv',
    unauthenticated: [],
    exists(path) {
      const key = ofKey.exec(path)?.[1];
      return key === undefined ? undefined : store.get(key) !== undefined;
    },
    describe: () => versionedPaths,
    async handle(request) {
      const { path, operation } = request;
      const found = routes.find(path.split('/'));
      const handler = found?.handlers.get(operation);
      if (found && handler) return handler(store, request, found.params.key ?? '');
      if (found && operation !== 'list' && path !== 'metadata') throw unsupportedOperation();
      return misdirected(path);
    },
  };
}

async function writeConfig(store: SecretStore, { data }: EngineRequest): Promise<undefined> {
  await store.saveSettings({ ...store.settings(), ...givenSettings(data, 'mount') });
}

/** Requests in the form of version 1 get 404 with a warning instead of an error text. */
function misdirected(path: string): EngineResponse {
  const root = /^(?:data|metadata|subkeys|delete|undelete|destroy)$/.test(path);
  const warning = root
    ? `"${path}" is the root of a versioned K/V secrets engine: specify a key below it`
    : 'Invalid path for a versioned K/V secrets engine: secrets are at data/<key>, lists and versions at metadata/<key>';
  return { status: 404, warnings: [warning] };
}
