import type { AuthMethod } from '../../api/registry-acl.ts';
import { conflict, unlessNotFound } from '../../errors.ts';
import { registryAuthMethod as schema } from '../../objects/registry-auth-method.ts';
import type { Schema } from '../../objects/schema.ts';
import type { Json } from '../../wire/json.ts';
import { compact, isObject } from '../../wire/objects.ts';
import type { JsonObject, Kind, Live } from '../kind.ts';
import { secondsOf, withWireNames } from '../normalize.ts';
import { completeList, namesOf } from './registry-lists.ts';

const config = schema.properties.Config;
const settings = Object.entries<Schema>(config.properties);
const secrets = settings.flatMap(([name, { isSecret }]) => (isSecret ? [name] : []));
const durations = settings.flatMap(([name, { type }]) => (type === 'duration' ? [name] : []));

const configOf = (value: Json | undefined): JsonObject =>
  isObject(value) ? withWireNames(config, value) : {};

/** The secrets are never shown: a service returns them to callers who may write them. */
function liveOf(method: AuthMethod): Live {
  const { Name, Type, DisplayName = '', Description = '', MaxTokenTTL, TokenLocality } = method;
  const { CreateIndex = 0, ModifyIndex = 0 } = method;
  const withoutSecrets = Object.entries(configOf(method.Config as JsonObject)).filter(
    ([name]) => !secrets.includes(name),
  );
  return {
    spec: {
      Type,
      DisplayName,
      Description,
      ...compact({ MaxTokenTTL, TokenLocality: TokenLocality || undefined }),
      Config: Object.fromEntries(withoutSecrets),
    },
    version: String(ModifyIndex),
    uid: String(CreateIndex),
    name: Name,
  };
}

function bodyOf(spec: JsonObject, Name: string, stored: JsonObject = {}): JsonObject {
  const { MaxTokenTTL, ...fields } = withWireNames(schema, spec);
  const stated = configOf(fields.Config);
  const inNanoseconds = durations.flatMap((name): [string, Json][] => {
    const seconds = secondsOf('nanoseconds', stated[name] ?? null);
    return seconds === undefined ? [] : [[name, Math.round(seconds * 1e9)]];
  });
  const kept = Object.entries(stored).filter(([name]) => secrets.includes(name));
  return {
    ...fields,
    Name,
    ...(MaxTokenTTL && { MaxTokenTTL: typeof MaxTokenTTL === 'string' ? MaxTokenTTL : `${MaxTokenTTL}s` }),
    Config: { ...Object.fromEntries(kept), ...stated, ...Object.fromEntries(inNanoseconds) },
  };
}

/** An auth method of the registry (docs/protocol/registry.md#login). */
export const registryAuthMethod: Kind = {
  name: 'registry.auth-method',
  service: 'registry',
  description: 'An auth method of the service registry. Deleting it deletes the tokens of its logins.',
  scope: [],
  nameIs: 'name of the auth method, in any case',
  canonicalName: (name) => name.toLowerCase(),
  schema,
  level: 1,
  mark: { type: 'text', field: 'Description' },
  guard: 're-read',
  isProtected: true,
  async list(services) {
    const methods = await (await services.registry()).listAuthMethods({ consistent: '' });
    return namesOf(await completeList(services, 'auth methods', methods));
  },
  async read(services, { key }) {
    const method = await unlessNotFound((await services.registry()).readAuthMethod({ name: key }));
    return method && liveOf(method);
  },
  async create(services, { identity, name = identity.key, spec }) {
    const registry = await services.registry();
    // The registry would replace an existing one.
    if (await unlessNotFound(registry.readAuthMethod({ name: identity.key })))
      throw conflict(`auth method "${identity.key}" already exists`, { service: 'registry' });
    await registry.createAuthMethod(bodyOf(spec, name));
  },
  async update(services, { identity, spec }) {
    const registry = await services.registry();
    const { body: stored } = await registry.readAuthMethod({ name: identity.key });
    // The registry compares the names in path and body with their case.
    await registry.updateAuthMethod({
      ...bodyOf(spec, stored.Name, configOf(stored.Config as JsonObject)),
      name: stored.Name,
    });
  },
  async remove(services, { key }) {
    await (await services.registry()).deleteAuthMethod({ name: key });
  },
};
