import { isHiddenMount, isMissingCredentialsRole } from '../../../api/conditions/secrets.ts';
import type { Credentials, SecretsClient } from '../../../api/secrets.ts';
import {
  describeAs,
  insteadOf,
  isEmptyListError,
  isFailure,
  isForbidden,
  isNotFound,
  notFound,
  usage,
} from '../../../errors.ts';
import { formatJson, type Json } from '../../../wire/json.ts';

/** How the engines generate credentials: the path between mount and role, and whether the request has a body. */
interface Generation {
  readonly path: 'creds' | 'issue';
  readonly method: 'GET' | 'POST';
}

const creds: Generation = { path: 'creds', method: 'GET' };
const sent: Generation = { path: 'creds', method: 'POST' };

/** By the type of the mount (docs/protocol/secrets.md#credentials). */
const generations: ReadonlyMap<string, Generation> = new Map(
  Object.entries({
    ad: creds,
    alicloud: creds,
    aws: creds,
    azure: creds,
    consul: creds,
    database: creds,
    kubernetes: sent,
    ldap: creds,
    mongodbatlas: creds,
    nomad: creds,
    openldap: creds,
    pki: { path: 'issue', method: 'POST' },
    rabbitmq: creds,
    ssh: sent,
    terraform: creds,
  }),
);

/** Types whose paths hold data, and generate none. */
const withoutCredentials = ['kv', 'generic', 'cubbyhole', 'system', 'identity'];

interface Parameters {
  readonly fields: Readonly<Record<string, Json>>;
  /** Values that are not on the command line are never shown. */
  readonly isSecret: boolean;
}

/** A request that generates credentials. */
export interface CredentialsRequest {
  readonly path: string;
  readonly parameters: Parameters;
  readonly method: Generation['method'];
}

/**
 * The request for the credentials of `MOUNT/ROLE`, or of a full path such as `database/static-creds/ROLE`. A request with
 * parameters has a body.
 *
 * @throws LanyardError usage: an engine without credentials, or one that is not known and needs the full path; not found:
 * nothing is mounted; forbidden: the mount is hidden, and the path is not complete.
 */
export async function credentialsRequest(
  secrets: SecretsClient,
  given: string,
  parameters: Parameters,
): Promise<CredentialsRequest> {
  const path = given.replace(/^\/+|\/+$/g, '');
  const hasParameters = Object.keys(parameters.fields).length > 0;
  const methodOf = (method: Generation['method'] = 'GET') => (hasParameters ? 'POST' : method);
  const mount = await mountOf(secrets, path);
  if (mount === undefined) {
    // Without the type of the engine, only a complete path can be requested.
    if (path.split('/').length > 2) return { path, parameters, method: methodOf() };
    if (await isUnmounted(secrets, path))
      throw notFound(`no secrets engine is mounted at ${path.split('/', 1).join()}/`, {
        service: 'secrets',
        hint: 'Run `lanyard secrets mount list` for the mounted engines.',
      });
    throw usage(`cannot find the type of the engine of "${path}": permission denied`, {
      service: 'secrets',
      hint: `Use the full path, such as ${path.replace('/', '/creds/')}.`,
    });
  }
  const { type = 'unknown' } = mount;
  const mountPath = mount.path.replace(/\/$/, '');
  const rest = path.slice(mountPath.length + 1);
  if (rest === '')
    throw usage(`missing role after "${mountPath}/"`, {
      hint: `Run \`lanyard secrets list ${mountPath}/roles\` for the roles of the engine.`,
    });
  if (withoutCredentials.includes(type))
    throw usage(`the engine at ${mountPath}/ has no credentials: its type is ${type}`, {
      hint: `Run \`lanyard ${type === 'kv' ? 'kv get' : 'secrets read'} ${path}\` to read the path.`,
    });
  const generation = generations.get(type);
  if (rest.includes('/')) {
    const isUsual = rest.startsWith(`${generation?.path}/`);
    return { path, parameters, method: methodOf(isUsual ? generation?.method : undefined) };
  }
  if (generation === undefined)
    throw usage(`the type ${type} of the engine at ${mountPath}/ is not known`, {
      hint: `Use the full path, such as ${mountPath}/creds/${rest}.`,
    });
  return {
    path: `${mountPath}/${generation.path}/${rest}`,
    parameters,
    method: methodOf(generation.method),
  };
}

/** @returns undefined: the service does not show it to the token. */
async function mountOf(secrets: SecretsClient, path: string) {
  const isHidden = (error: unknown): boolean =>
    isHiddenMount(error) || isForbidden(error) || isNotFound(error);
  const response = await secrets.findMount({ path }).catch(insteadOf(isHidden, undefined));
  return response?.body.data;
}

/** Whether nothing is mounted at a path; false if the token may not list the mounts. */
async function isUnmounted(secrets: SecretsClient, path: string): Promise<boolean> {
  const response = await secrets.listMounts({ path: 'sys/mounts' }).catch(insteadOf(isFailure, undefined));
  if (response === undefined) return false;
  return !Object.keys(response.body.data).some((mount) => `${path}/`.startsWith(mount));
}

/** Generates credentials. @throws LanyardError not found: the role or the path does not exist. */
export async function generate(
  secrets: SecretsClient,
  { path, parameters, method }: CredentialsRequest,
): Promise<Credentials> {
  const role = path.slice(path.lastIndexOf('/') + 1);
  const [kind = '', ...mount] = path.split('/').slice(0, -1).reverse();
  const roles = [...mount.reverse(), kind.startsWith('static-') ? 'static-roles' : 'roles'].join('/');
  const content = formatJson(parameters.fields);
  const response = await (method === 'GET'
    ? secrets.generateCredentials({ path })
    : parameters.isSecret
      ? secrets.generateCredentialsWithSecret({ path, content })
      : secrets.generateCredentialsWith({ path, content })
  )
    .catch(
      describeAs(isMissingCredentialsRole, 'not_found', `role "${role}" not found (${path})`, {
        hint: `Run \`lanyard secrets list ${roles}\` for the existing roles.`,
      }),
    )
    .catch((error: unknown) => {
      throw isEmptyListError(error)
        ? notFound(`path "${path}" not found`, { service: 'secrets', status: 404 })
        : error;
    });
  return response.body;
}

/**
 * Seconds from now for which credentials are valid: of their lease, else (a certificate, a static role) of their data.
 *
 * @returns undefined: unlimited, or not stated.
 */
export function lifetimeOf({ lease_id: lease, lease_duration: seconds, data }: Credentials, now: Date) {
  if (lease && seconds) return seconds;
  const { expiration, ttl } = data as { readonly expiration?: unknown; readonly ttl?: unknown };
  if (typeof expiration === 'number') return Math.max(0, expiration - now.getTime() / 1000);
  return typeof ttl === 'number' && ttl > 0 ? ttl : undefined;
}
