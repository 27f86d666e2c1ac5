import * as v from 'valibot';
import type { BoxFields, ProviderFields, VersionFields } from '../objects/box.ts';
import type * as wire from '../wire/responses/box.ts';
import type { Client } from './client.ts';
import { anything, checked, noBody, noContentOr, shown, someFields } from './decode.ts';
import type { Decoder } from './operation.ts';
import { operationBuilders } from './operation-builders.ts';

const { get, head, post, put, remove } = operationBuilders('box', { accepts: [200, 201] });

const text = v.nullish(v.string());
const flag = v.nullish(v.boolean());
const address = v.pipe(v.string(), v.url());

const provider = v.looseObject({
  name: v.string(),
  ...shown<wire.Provider>({
    ...v.entriesFromList(['hosted', 'default_architecture'], flag),
    ...v.entriesFromList(['hosted_token', 'original_url', 'download_url', 'created_at', 'updated_at'], text),
    ...v.entriesFromList(['checksum', 'checksum_type', 'architecture'], text),
  }),
});

const version = v.looseObject({
  version: v.string(),
  ...shown<wire.Version>(
    v.entriesFromList(['status', 'description_markdown', 'created_at', 'updated_at'], text),
  ),
  providers: v.nullish(v.array(provider)),
});

const box = v.looseObject({
  username: v.string(),
  name: v.string(),
  ...shown<wire.Box>({
    private: flag,
    ...v.entriesFromList(
      ['tag', 'short_description', 'description_markdown', 'created_at', 'updated_at'],
      text,
    ),
    downloads: v.nullish(v.number()),
  }),
  /** The latest version that is released. */
  current_version: v.nullish(version),
  versions: v.nullish(v.array(version)),
});

type Box = v.InferInput<typeof box>;
type Version = v.InferInput<typeof version>;
type Provider = v.InferInput<typeof provider>;

/** The name of a box in a path. */
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

/** A provider for one architecture; a version may have several of the same name (paths of version 2). */
interface ArchitectureName extends ProviderName {
  architecture: string;
}

type Named<Fields> = Fields & { name?: string | undefined };
type Provided = Named<ProviderFields> & { architecture?: string | undefined };
type NewProvider = VersionName & { provider: Provided & { readonly name: string } };

/** The owner of a token. */
interface Owner {
  user: { readonly login: string; readonly password: string };
}

// Fields of the body are nested, because they may have the same names as fields of the path.
const boxPath = '/api/v1/box/{username}/{name}';
const versionPath = `${boxPath}/version/{version}`;
const providerPath = `${versionPath}/provider/{provider}`;
const v2 = (path: string): string => path.replace('v1', 'v2');
const architecturePath = `${v2(providerPath)}/{architecture}`;
const authenticatePath = '/api/v1/authenticate';

const asBox = checked(box);
const asVersion = checked(version);
const asProvider = checked(provider);
/** The response to a change that the specification does not define: an object, mostly the changed one. */
const changed = <Body>(): Decoder<Partial<Body>> => someFields as Decoder<Partial<Body>>;
const organization = v.looseObject({
  username: v.string(),
  ...shown<wire.Organization>({ avatar_url: text, profile_markdown: text }),
  boxes: v.nullish(v.array(box)),
});
const token = v.looseObject({ token: v.string(), description: text, created_at: text });
const tokenOwner = v.optional(v.looseObject({ user: v.looseObject({ username: v.string() }) }));
const codeDelivery = v.looseObject({ two_factor: v.looseObject({ obfuscated_destination: text }) });

/** A lost token cannot be found again, and a code may cost a message. */
const login = { token: 'none', retry: 'once' } as const;
const withoutBody = { body: undefined } as const;

/** Where the bytes of an image are sent. The address expires soon; a repeated request returns a new one. */
const prepareUpload = <Input extends ProviderName>(path: string) =>
  get<Input>('prepare upload', `${path}/upload`, { retry: 'repeat' })(
    checked(v.looseObject({ upload_path: address })),
  );
const prepareDirectUpload = <Input extends ProviderName>(path: string) =>
  get<Input>('prepare upload', `${path}/upload/direct`, { retry: 'repeat' })(
    checked(v.looseObject({ upload_path: address, callback: address })),
  );

interface Search {
  q?: string;
  provider?: string;
  sort?: string;
  order?: string;
  limit?: number;
  page?: number;
}

/** The operations of the box registry (docs/protocol/box.md#endpoints). */
export const boxOperations = {
  // Tokens.
  createToken: post<
    Owner & { token?: { readonly description: string }; two_factor?: { readonly code: string } }
  >(
    'create token',
    authenticatePath,
    login,
  )(checked(token)),
  checkToken: get<object>('check token', authenticatePath, { token: 'required' })(checked(tokenOwner)),
  deleteToken: remove<object>('delete token', authenticatePath, { token: 'required' })(noContentOr(noBody)),
  requestCode: post<Owner & { two_factor: { readonly delivery_method: string } }>(
    'request two-factor code',
    '/api/v1/two-factor/request-code',
    login,
  )(checked(codeDelivery)),

  readOrganization: get<{ username: string }>(
    'read organization',
    '/api/v1/user/{username}',
  )(checked(organization)),
  /** Only the embedded registry has this request. */
  createOrganization: post<{ organization: { readonly username: string } }>(
    'create organization',
    '/api/v1/organizations',
  )(checked(organization)),
  searchBoxes: get<Search>('search boxes', '/api/v1/search', {
    query: ['q', 'provider', 'sort', 'order', 'limit', 'page'],
  })(checked(v.looseObject({ boxes: v.array(box) }))),

  // Boxes. The specification does not define the response to an update.
  readBox: get<BoxName>('read box', boxPath)(asBox),
  readArchitectures: get<BoxName>('read box', v2(boxPath))(asBox),
  createBox: post<{ box: BoxName & BoxFields }>('create box', '/api/v1/boxes')(asBox),
  updateBox: put<BoxName & { box: Named<BoxFields> }>('update box', boxPath)(changed<Box>()),
  deleteBox: remove<BoxName>('delete box', boxPath)(noContentOr(changed<Box>())),

  // Versions. `number` is in the path, `version` in the body.
  readVersion: get<VersionName>('read version', versionPath)(asVersion),
  createVersion: post<BoxName & { version: VersionFields & { readonly version: string } }>(
    'create version',
    `${boxPath}/versions`,
  )(asVersion),
  updateVersion: put<BoxName & { number: string; version: VersionFields & { version?: string | undefined } }>(
    'update version',
    `${boxPath}/version/{number}`,
  )(asVersion),
  deleteVersion: remove<VersionName>('delete version', versionPath)(noContentOr(changed<Version>())),
  releaseVersion: put<VersionName>('release version', `${versionPath}/release`, withoutBody)(asVersion),
  revokeVersion: put<VersionName>('revoke version', `${versionPath}/revoke`, withoutBody)(asVersion),

  // Providers. `current` is in the path, `provider` in the body.
  readProvider: get<ProviderName>('read provider', providerPath)(asProvider),
  createProvider: post<NewProvider>('create provider', `${versionPath}/providers`)(asProvider),
  updateProvider: put<VersionName & { current: string; provider: Provided }>(
    'update provider',
    `${versionPath}/provider/{current}`,
  )(asProvider),
  deleteProvider: remove<ProviderName>('delete provider', providerPath)(noContentOr(changed<Provider>())),

  // The same for versions with a provider for several architectures.
  readArchitecture: get<ArchitectureName>('read provider', architecturePath)(asProvider),
  createArchitecture: post<NewProvider>('create provider', `${v2(versionPath)}/providers`)(asProvider),
  updateArchitecture: put<VersionName & { current: string; architecture: string; provider: Provided }>(
    'update provider',
    `${v2(versionPath)}/provider/{current}/{architecture}`,
  )(asProvider),
  deleteArchitecture: remove<ArchitectureName>(
    'delete provider',
    architecturePath,
  )(noContentOr(changed<Provider>())),

  // Whether an image can be downloaded, which no other response says.
  probeImage: head<{ download_url: string }>('look for image', '/', { handedOut: 'download_url' })(anything),

  // Uploads. The bytes are sent to `upload_path` without a token. A direct upload is confirmed at the callback with the
  // token, so only the path of the callback is used.
  prepareUpload: prepareUpload<ProviderName>(providerPath),
  prepareDirectUpload: prepareDirectUpload<ProviderName>(providerPath),
  prepareArchitectureUpload: prepareUpload<ArchitectureName>(architecturePath),
  prepareDirectArchitectureUpload: prepareDirectUpload<ArchitectureName>(architecturePath),
  confirmUpload: put<{ callback: string }>('confirm upload', '/', { ...withoutBody, handedOut: 'callback' })(
    anything,
  ),
};

export type BoxClient = Client<typeof boxOperations>;
