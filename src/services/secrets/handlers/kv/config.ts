import { Router } from '../../../core/http/router.ts';
import type { Engine, EngineParts, EngineRequest, EngineResponse } from '../../engine.ts';
import { unsupportedOperation } from '../../errors.ts';
import { versionedPaths } from '../../kv/help.ts';
import { SecretStore } from '../../kv/secret-store.ts';
import { readSettings, showSettings } from '../../kv/settings.ts';
import { deleteData, patchData, readData, readSubkeys, writeData } from './data.ts';
import { listKeys, patchMetadata, readMetadata, removeKey, writeMetadata } from './metadata.ts';
import { handleDelete, handleDestroy, handleUndelete } from './versions.ts';

type KvResponse = EngineResponse | undefined;
/** @param key the rest of the path. */
type Handler = (store: SecretStore, request: EngineRequest, key: string) => KvResponse | Promise<KvResponse>;

const routes = new Router<Handler>()
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
  .on('create|update', 'delete/*key', handleDelete)
  .on('create|update', 'undelete/*key', handleUndelete)
  .on('create|update', 'destroy/*key', handleDestroy);

/** The paths of one key, whose existence decides whether a write creates or updates. */
const keyPathPattern = /^(?:data|metadata)\/(.+)$/s;

/** Version 2: each key has versions and metadata. */
export function versionedEngine({ storage }: EngineParts): Engine {
  const store = new SecretStore(storage);
  return {
    type: 'kv',
    unauthenticated: [],
    exists(path) {
      const key = keyPathPattern.exec(path)?.[1];
      return key === undefined ? undefined : store.get(key) !== undefined;
    },
    describe: () => versionedPaths,
    async handle(request) {
      const { path, operation } = request;
      const match = routes.find(path.split('/'));
      const handler = match?.handlers.get(operation);
      if (match && handler) return handler(store, request, match.params.key ?? '');
      if (match && operation !== 'list' && path !== 'metadata') throw unsupportedOperation();
      return invalidPathResponse(path);
    },
  };
}

async function writeConfig(store: SecretStore, { data }: EngineRequest): Promise<undefined> {
  await store.saveSettings({ ...store.settings(), ...readSettings(data, 'mount') });
}

/** Requests in the form of version 1 get 404 with a warning instead of an error text. */
function invalidPathResponse(path: string): EngineResponse {
  const root = /^(?:data|metadata|subkeys|delete|undelete|destroy)$/.test(path);
  const warning = root
    ? `"${path}" is the root of a versioned K/V secrets engine: specify a key below it`
    : 'Invalid path for a versioned K/V secrets engine: secrets are at data/<key>, lists and versions at metadata/<key>';
  return { status: 404, warnings: [warning] };
}
