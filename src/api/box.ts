import * as v from 'valibot';
import type { Client } from './client.ts';
import { anything, checked, noBody, noContentOr, someFields } from './decode.ts';
import { op } from './operation.ts';

const text = v.optional(v.nullable(v.string()));
const flag = v.optional(v.nullable(v.boolean()));
const address = v.pipe(v.string(), v.url());

const provider = v.looseObject({
  name: v.string(),
  ...{ hosted: flag, hosted_token: text, original_url: text, download_url: text },
  ...{ created_at: text, updated_at: text, checksum: text, checksum_type: text },
  ...{ architecture: text, default_architecture: flag },
});

const version = v.looseObject({
  version: v.string(),
  ...{ status: text, description_markdown: text, created_at: text, updated_at: text },
  providers: v.optional(v.nullable(v.array(provider))),
});

const box = v.looseObject({
  ...{ username: v.string(), name: v.string(), tag: text, private: flag },
  ...{ short_description: text, description_markdown: text, created_at: text, updated_at: text },
  downloads: v.optional(v.nullable(v.number())),
  current_version: v.optional(v.nullable(version)),
  versions: v.optional(v.nullable(v.array(version))),
});

/** The name of a box as the paths have it. */
interface BoxName {
  username: string;
  name: string;
}

interface VersionName extends BoxName {
  version: string;
}

interface ProviderName extends VersionName {
  provider: string;
}

/** A provider for one architecture: a version may have several of one name (the second version of the paths). */
interface ArchitectureName extends ProviderName {
  architecture: string;
}

interface BoxFields {
  short_description?: string;
  description?: string;
  is_private?: boolean;
}

interface VersionFields {
  version?: string;
  description?: string;
}

interface ProviderFields {
  name?: string;
  url?: string;
  checksum?: string;
  checksum_type?: string;
  architecture?: string;
  default_architecture?: boolean;
}

/** The owner of a token, and the second factor where the owner has one. */
interface Owner {
  user: { readonly login: string; readonly password: string };
}

// The fields of a body may have the name of a part of the path, so what is in a body is under a name of its own.
const boxPath = '/api/v1/box/{username}/{name}';
const versionPath = `${boxPath}/version/{version}`;
const providerPath = `${versionPath}/provider/{provider}`;
const architecturePath = `${providerPath.replace('v1', 'v2')}/{architecture}`;

const read = { service: 'box', method: 'GET', accepts: [200], retry: 'read' } as const;
const create = { service: 'box', method: 'POST', body: 'json', accepts: [200, 201], retry: 'write' } as const;
const update = { service: 'box', method: 'PUT', body: 'json', accepts: [200, 201], retry: 'write' } as const;
const change = { service: 'box', method: 'PUT', accepts: [200, 201], retry: 'write' } as const;
const remove = { service: 'box', method: 'DELETE', accepts: [200, 204], retry: 'write' } as const;

const asBox = checked(box);
const asVersion = checked(version);
const asProvider = checked(provider);

/** Where the bytes of an image go. The address is soon rejected, and asking again gives a new one. */
const asUpload = checked(v.looseObject({ upload_path: address }));
const asDirectUpload = checked(v.looseObject({ upload_path: address, callback: address }));
const prepare = { service: 'box', method: 'GET', accepts: [200], retry: 'repeat' } as const;

/** The operations of the box registry (docs/protocol/box.md#endpoints). */
export const boxOperations = {
  // Tokens. One that is made is known to no one else, and a code may cost a message: neither is sent twice.
  createToken: op<
    Owner & { token?: { readonly description: string }; two_factor?: { readonly code: string } }
  >()({
    ...{ ...create, name: 'create token', path: '/api/v1/authenticate', token: 'none', retry: 'once' },
    decode: checked(v.looseObject({ token: v.string(), description: text, created_at: text })),
  }),
  checkToken: op<object>()({
    ...{ ...read, name: 'check token', path: '/api/v1/authenticate', token: 'required' },
    decode: checked(v.optional(v.looseObject({ user: v.looseObject({ username: v.string() }) }))),
  }),
  deleteToken: op<object>()({
    ...{ ...remove, name: 'delete token', path: '/api/v1/authenticate', token: 'required' },
    decode: noContentOr(noBody),
  }),
  requestCode: op<Owner & { two_factor: { readonly delivery_method: string } }>()({
    ...{ ...create, name: 'request two-factor code', path: '/api/v1/two-factor/request-code' },
    ...{ token: 'none', retry: 'once' },
    decode: checked(v.looseObject({ two_factor: v.looseObject({ obfuscated_destination: text }) })),
  }),

  readOrganisation: op<{ username: string }>()({
    ...{ ...read, name: 'read organization', path: '/api/v1/user/{username}' },
    decode: checked(
      v.looseObject({
        ...{ username: v.string(), avatar_url: text, profile_markdown: text },
        boxes: v.optional(v.nullable(v.array(box))),
      }),
    ),
  }),

  searchBoxes: op<{
    q?: string;
    provider?: string;
    sort?: string;
    order?: string;
    limit?: number;
    page?: number;
  }>()({
    ...{ ...read, name: 'search boxes', path: '/api/v1/search' },
    query: ['q', 'provider', 'sort', 'order', 'limit', 'page'],
    decode: checked(v.looseObject({ boxes: v.array(box) })),
  }),

  // Boxes.
  readBox: op<BoxName>()({ ...read, name: 'read box', path: boxPath, decode: asBox }),
  createBox: op<{ box: BoxName & BoxFields }>()({
    ...{ ...create, name: 'create box', path: '/api/v1/boxes', decode: asBox },
  }),
  // The specification does not say how an update responds.
  updateBox: op<BoxName & { box: BoxFields & { name?: string } }>()({
    ...{ ...update, name: 'update box', path: boxPath, decode: someFields },
  }),
  deleteBox: op<BoxName>()({ ...remove, name: 'delete box', path: boxPath, decode: noContentOr(someFields) }),

  // Versions. The path has `number` for what a body has under `version`.
  readVersion: op<VersionName>()({ ...read, name: 'read version', path: versionPath, decode: asVersion }),
  createVersion: op<BoxName & { version: VersionFields & { readonly version: string } }>()({
    ...{ ...create, name: 'create version', path: `${boxPath}/versions`, decode: asVersion },
  }),
  updateVersion: op<BoxName & { number: string; version: VersionFields }>()({
    ...{ ...update, name: 'update version', path: `${boxPath}/version/{number}`, decode: asVersion },
  }),
  deleteVersion: op<VersionName>()({
    ...{ ...remove, name: 'delete version', path: versionPath, decode: noContentOr(someFields) },
  }),
  releaseVersion: op<VersionName>()({
    ...{ ...change, name: 'release version', path: `${versionPath}/release`, decode: asVersion },
  }),
  revokeVersion: op<VersionName>()({
    ...{ ...change, name: 'revoke version', path: `${versionPath}/revoke`, decode: asVersion },
  }),

  // Providers. The path has `current` for what a body has under `provider`.
  readProvider: op<ProviderName>()({
    ...read,
    name: 'read provider',
    path: providerPath,
    decode: asProvider,
  }),
  createProvider: op<VersionName & { provider: ProviderFields & { readonly name: string } }>()({
    ...{ ...create, name: 'create provider', path: `${versionPath}/providers`, decode: asProvider },
  }),
  updateProvider: op<VersionName & { current: string; provider: ProviderFields }>()({
    ...{ ...update, name: 'update provider', decode: asProvider },
    path: `${versionPath}/provider/{current}`,
  }),
  deleteProvider: op<ProviderName>()({
    ...{ ...remove, name: 'delete provider', path: providerPath, decode: noContentOr(someFields) },
  }),

  // The same where a version has a provider for each of several architectures.
  readArchitecture: op<ArchitectureName>()({
    ...{ ...read, name: 'read provider', path: architecturePath, decode: asProvider },
  }),
  createArchitecture: op<VersionName & { provider: ProviderFields & { readonly name: string } }>()({
    ...{ ...create, name: 'create provider', decode: asProvider },
    path: `${versionPath.replace('v1', 'v2')}/providers`,
  }),
  updateArchitecture: op<VersionName & { current: string; architecture: string; provider: ProviderFields }>()(
    {
      ...{ ...update, name: 'update provider', decode: asProvider },
      path: `${versionPath.replace('v1', 'v2')}/provider/{current}/{architecture}`,
    },
  ),
  deleteArchitecture: op<ArchitectureName>()({
    ...{ ...remove, name: 'delete provider', path: architecturePath, decode: noContentOr(someFields) },
  }),

  // Whether there is an image to download; it is in no response of the registry.
  probeImage: op<{ download_url: string }>()({
    ...{ ...read, name: 'look for image', method: 'HEAD', path: '/', handedOut: 'download_url' },
    decode: anything,
  }),

  // Uploads. The bytes go to `upload_path` without a token. Direct ones are confirmed at the callback, with the token:
  // so only its path is used, at the service's own origin.
  prepareUpload: op<ProviderName>()({
    ...{ ...prepare, name: 'prepare upload', path: `${providerPath}/upload`, decode: asUpload },
  }),
  prepareDirectUpload: op<ProviderName>()({
    ...{ ...prepare, name: 'prepare upload', path: `${providerPath}/upload/direct`, decode: asDirectUpload },
  }),
  prepareArchitectureUpload: op<ArchitectureName>()({
    ...{ ...prepare, name: 'prepare upload', path: `${architecturePath}/upload`, decode: asUpload },
  }),
  prepareDirectArchitectureUpload: op<ArchitectureName>()({
    ...{ ...prepare, name: 'prepare upload', path: `${architecturePath}/upload/direct` },
    decode: asDirectUpload,
  }),
  confirmUpload: op<{ callback: string }>()({
    ...{ ...change, name: 'confirm upload', path: '/', handedOut: 'callback', decode: anything },
  }),
};

export type BoxClient = Client<typeof boxOperations>;
