import type { Credentials, SecretsClient } from '../../../api/secrets.ts';
import type { ClientOptions } from '../../../command/api.ts';
import { showWarnings } from '../../../command/command.ts';
import { notFound, usage } from '../../../errors.ts';
import { type Json, type JsonObject, setMember } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import {
  type CredentialsRequest,
  credentialsRequest,
  generate,
  lifetimeOf,
} from '../../secrets/lib/credentials.ts';
import type { OpenValue } from './value.ts';

/** The part of their lifetime after which credentials are replaced; at random between these. */
const [earliest, latest] = [0.6, 0.75];
/** Milliseconds between checks whether credentials are to be replaced, which send nothing. */
const intervalMs = 1000;

/**
 * New credentials of an engine: `"database/app" | creds`, `"pki/web" | creds: common_name: "web.example.com"`. The
 * options are the parameters of the engine. While they are watched, they are replaced well before they end, so that a
 * program has the old ones until it has read the new file. They are not revoked.
 */
export const credentialsValue: OpenValue = (request, { api, output, system }) => {
  const { name, options: fields } = request;
  let found: CredentialsRequest | undefined;
  let current: { readonly data: Json; readonly replaceMs: number } | undefined;
  const nowMs = (): number => system.clock().getTime();
  const replaceMs = (credentials: Credentials): number => {
    const seconds = lifetimeOf(credentials, system.clock());
    const share = earliest + (latest - earliest) * ((system.random(1)[0] ?? 0) / 256);
    return seconds === undefined ? Number.POSITIVE_INFINITY : nowMs() + seconds * share * 1000;
  };
  const generateNew = async (secrets: SecretsClient): Promise<Json> => {
    found ??= await credentialsRequest(secrets, name, { fields, isSecret: false });
    const credentials = await generate(secrets, found);
    showWarnings(output, credentials);
    current = { data: dataOf(credentials), replaceMs: replaceMs(credentials) };
    return current.data;
  };
  return {
    service: 'secrets',
    isSecret: true,
    async read(clientOptions?: ClientOptions) {
      if (output.isDryRun) throw usage(`credentials of "${name}" are not generated in a dry run`);
      return generateNew(await api.secrets(clientOptions));
    },
    watch: async (clientOptions) => {
      const secrets = await api.secrets(clientOptions);
      return {
        source: {
          intervalMs,
          read: async () => ({
            value: current && nowMs() < current.replaceMs ? current.data : await generateNew(secrets),
          }),
        },
        toValue: (data: Json) => data,
      };
    },
    missing: () => notFound(`credentials of "${name}" not found`),
  };
};

/** The data of credentials, with the ID of their lease as `lease_id`. */
function dataOf({ data, lease_id }: Credentials): JsonObject & { [field: string]: Json } {
  const fields: { [field: string]: Json } = {};
  if (typeof lease_id === 'string' && lease_id !== '') fields.lease_id = lease_id;
  if (isObject(data))
    for (const [field, value] of Object.entries(data)) setMember(fields, field, value as Json);
  return fields;
}
