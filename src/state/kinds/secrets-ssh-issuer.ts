import { isIssuerNameTaken, isUnsupportedPath } from '../../api/conditions/secrets.ts';
import {
  describeAs,
  insteadOf,
  isEmptyListError,
  isKind,
  isNotFound,
  LanyardError,
  usage,
} from '../../errors.ts';
import { field } from '../../objects/schema.ts';
import { mapConcurrently } from '../../wire/concurrently.ts';
import type { Identity, JsonObject, Kind, Live, Services } from '../kind.ts';
import {
  inMount,
  isSsh,
  mountOf,
  mountReference,
  mountScope,
  mountsOfType,
  rejectExisting,
} from '../secrets-mounts.ts';
import {
  checkKeyPair,
  generatedKeyFields,
  keyPairBody,
  keyPairFields,
  newKeyNotice,
} from './secrets-ssh-keys.ts';

interface Issuer {
  readonly id: string;
  /** Empty: it has none. */
  readonly name: string;
  readonly isDefault: boolean;
  readonly publicKey: string;
}

const withoutIssuers = (mount: string): LanyardError =>
  new LanyardError('failure', `${mount}/ does not support issuers: the engine has a single CA`, {
    service: 'secrets',
    hint: 'Remove the documents of kind secrets.ssh-issuer, and state a secrets.ssh-ca instead.',
  });

/**
 * The issuers of a mount.
 *
 * @returns undefined: nothing is mounted there.
 * @throws LanyardError failure: the service has a single CA in a mount.
 */
async function issuersOf(services: Services, mount: string): Promise<readonly Issuer[] | undefined> {
  try {
    const { key_info: info } = (await (await services.secrets()).listIssuers({ mount })).body.data;
    return Object.entries(info ?? {}).map(([id, { issuer_name, is_default, public_key }]) => ({
      id,
      name: issuer_name ?? '',
      isDefault: is_default === true,
      publicKey: public_key,
    }));
  } catch (error) {
    if (isEmptyListError(error)) return [];
    if (isUnsupportedPath(error)) throw withoutIssuers(mount);
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The issuers of all mounts; none on a service that has a single CA in a mount. */
async function issuersByMount(
  services: Services,
): Promise<readonly { readonly mount: string; readonly issuers: readonly Issuer[] }[]> {
  const mounts = await mountsOfType(services, isSsh);
  return mapConcurrently(mounts, async (mount) => {
    return { mount, issuers: (await issuersOf(services, mount).catch(insteadOf(isSingleCa, []))) ?? [] };
  });
}

const isSingleCa = isKind('failure');

/** @throws LanyardError failure: an SSH engine that is mounted on this service would have a single CA. */
async function requireIssuers(services: Services, mount: string): Promise<void> {
  const { body } = await (await services.secrets()).sealStatus({});
  // OpenBao has the time of the commit there, services with a single CA the time of the build.
  if ('build_date' in body && !('commit_date' in body)) throw withoutIssuers(mount);
}

/** The name of an issuer that a role names by its ID; the reference itself if it is not the ID of a named issuer. */
export async function issuerName(services: Services, mount: string, reference: string): Promise<string> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(reference)) return reference;
  const issuers = await issuersOf(services, mount);
  return issuers?.find(({ id }) => id === reference)?.name || reference;
}

const liveOf = ({ id, isDefault, publicKey }: Issuer): Live => ({
  spec: { default: isDefault, public_key: publicKey },
  version: '',
  uid: id,
});

const find = async (services: Services, { scope, key }: Identity): Promise<Issuer | undefined> =>
  (await issuersOf(services, scope.mount ?? ''))?.find(({ name }) => name === key);

const isDefault = ({ default: value }: JsonObject): boolean => value === true || value === 'true';

/** A named issuer of an SSH engine (docs/protocol/ssh.md#issuers). Those without a name cannot be stated. */
export const secretsSshIssuer: Kind = {
  name: 'secrets.ssh-issuer',
  service: 'secrets',
  description:
    'A named issuer of an SSH engine, generated or imported; OpenBao only. Without "default", it signs for the roles that name it.',
  scope: mountScope('ssh'),
  nameIs: 'name of the issuer',
  schema: field.object({
    default: field.boolean({
      description: 'Roles without an issuer sign with it. false is not compared: another issuer takes over.',
    }),
    ...keyPairFields,
  }),
  check: ({ key }, spec) => [
    ...(key !== 'default' && /^\w([\w.-]*\w)?$/.test(key)
      ? []
      : [`invalid issuer name "${key}": expected letters, digits, ".", "-" and "_", and not "default"`]),
    ...checkKeyPair(spec),
  ],
  generatedFields: (spec) => [...generatedKeyFields(spec), ...(isDefault(spec) ? [] : ['/spec/default'])],
  notRestored: ({ action }) => (action === 'delete' ? { what: 'its private key', isAll: true } : undefined),
  // "ssh trust" installs the key of the default issuer.
  notice: (identity, spec) =>
    newKeyNotice(
      spec,
      isDefault(spec)
        ? `lanyard ssh trust --mount ${mountOf(identity)}`
        : `lanyard ssh issuer get ${identity.key} --mount ${mountOf(identity)} --field public_key`,
    ),
  level: 2,
  guard: 're-read',
  isProtected: true,
  // The CA is the first issuer, and the default.
  references: (identity) => [
    mountReference(identity),
    { kind: 'secrets.ssh-ca', identity: inMount(mountOf(identity)) },
  ],
  async list(services) {
    const found = await issuersByMount(services);
    return found.flatMap(({ mount, issuers }) =>
      issuers.flatMap(({ name }) => (name === '' ? [] : [inMount(mount, name)])),
    );
  },
  async read(services, identity) {
    const issuers = await issuersOf(services, mountOf(identity));
    if (!issuers) await requireIssuers(services, mountOf(identity));
    const issuer = issuers?.find(({ name }) => name === identity.key);
    return issuer && liveOf(issuer);
  },
  async create(services, { identity, spec }) {
    const { key: name } = identity;
    const mount = mountOf(identity);
    const taken = `issuer ${name} of ${mount}/`;
    rejectExisting(await find(services, identity), taken);
    await (await services.secrets())
      .importNamedIssuer({ mount, name, ...keyPairBody(spec), ...(isDefault(spec) && { set_default: true }) })
      .catch(describeAs(isIssuerNameTaken, 'conflict', `${taken} already exists`));
  },
  async update(services, { identity, spec, live }) {
    const mount = mountOf(identity);
    if (isDefault(live.spec) || !isDefault(spec))
      throw usage(
        `issuer ${identity.key} of ${mount}/ keeps its key pair: state an issuer with another name`,
        {
          service: 'secrets',
        },
      );
    await (await services.secrets()).setDefaultIssuer({ mount, default: live.uid ?? identity.key });
  },
  async remove(services, identity, live) {
    await (await services.secrets()).deleteIssuer({
      mount: mountOf(identity),
      issuer: live.uid ?? identity.key,
    });
  },
};
