import type { SecretsClient } from '../../../api/secrets.ts';
import type { ClientOptions } from '../../../command/api.ts';
import { describeAs, isNotFound, notFound, usage } from '../../../errors.ts';
import type { Json, JsonObject } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { isServiceWide } from '../../../wire/services.ts';
import {
  describeMissingSecret,
  requireSecret,
  requireVersionedSecret,
  type SecretPath,
} from '../../kv/lib/secret-path.ts';
import { secretSource } from '../../kv/lib/secret-source.ts';
import { readState } from '../../kv/lib/secret-state.ts';
import { parsePathQuery } from '../../secrets/lib/path-query.ts';
import { checkedOptions } from './request-options.ts';
import type { OpenValue } from './value.ts';

/** The fields of a key-value secret: `"secret/app/db" | kv`, or of one of its versions. */
export const kvValue: OpenValue = (request, { api }) => {
  const { name } = request;
  const { version } = checkedOptions(request, { version: 'number' });
  let location: Promise<SecretPath> | undefined;
  const locate = (secrets: SecretsClient): Promise<SecretPath> => {
    const find = version === undefined ? requireSecret : requireVersionedSecret;
    location ??= find(secrets, name, undefined);
    return location;
  };
  return {
    service: 'secrets',
    isSecret: true,
    async read(options) {
      const secrets = await api.secrets(options);
      const found = await locate(secrets);
      const { pairs } = await readState(secrets, found, version).catch(describeMissingSecret(found));
      return toJson(pairs);
    },
    watch: async (options) => ({
      source: secretSource(await api.secrets(options), { path: name, mount: undefined, version }),
      toValue: ({ pairs }) => (pairs === null ? undefined : toJson(pairs)),
    }),
    missing: () => notFound(`secret "${name}" not found`),
  };
};

/** The data of a path of the secrets service: `"pki/cert/ca" | read`. */
export const pathValue: OpenValue = (request, { api }) => {
  const { name } = request;
  checkedOptions(request, {});
  const target = parsePathQuery(name);
  const read = async (options: ClientOptions | undefined): Promise<Json> => {
    const secrets = await api.secrets(options);
    const sent = isServiceWide(target.path) ? secrets.readServiceWide(target) : secrets.read(target);
    const { body } = await sent.catch(describeAs(isNotFound, 'not_found', `path "${name}" not found`));
    const { data, lease_id: lease } = body as JsonObject;
    if (options !== undefined && typeof lease === 'string' && lease !== '')
      throw usage(`"${name}" cannot be watched: each read returns new credentials with a lease`, {
        hint: 'Use the filter "creds", which replaces them before they end.',
      });
    return isObject(data) ? data : toJson(body);
  };
  return {
    service: 'secrets',
    isSecret: true,
    read,
    watch: async (options) => ({
      source: { read: async () => ({ value: await read(options) }) },
      toValue: (value) => value,
    }),
    missing: () => notFound(`path "${name}" not found`),
  };
};

/** A body that a decoder checked: it was parsed from JSON. */
const toJson = (body: unknown): Json => body as Json;
