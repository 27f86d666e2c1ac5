import type { OperationDescription, Operations, ServiceDescription } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { boxSchemas } from './schemas.ts';

const body = (name: string) => ({ schema: s.ref(name) });
const returns = (name: string) => ({ 200: { schema: s.ref(name) } });

/** 402: a private box of an owner with unpaid bills. */
const readErrors = [402, 404];
const writeErrors = [402, 403, 404, 422];

const read = (id: string, tag: string, summary: string, schema: string): OperationDescription => ({
  id,
  tag,
  summary,
  responses: returns(schema),
  errors: readErrors,
});

const write = (
  id: string,
  tag: string,
  summary: string,
  schema: string,
  input?: string,
): OperationDescription => ({
  id,
  tag,
  summary,
  requiresToken: true,
  responses: returns(schema),
  errors: writeErrors,
  ...(input !== undefined && { body: body(input) }),
});

const range = s.text('A range of bytes, such as `bytes=0-`.');
const image = { type: 'application/octet-stream', schema: s.text(undefined, { format: 'binary' }) };
const download: OperationDescription = {
  id: 'downloadImage',
  tag: 'Downloads',
  summary: 'Download an image, or get the URL of one that is not uploaded',
  headers: { Range: range, 'If-Range': s.text('The `ETag` of an interrupted download.') },
  responses: {
    200: { description: 'The image.', headers: 'image', ...image },
    206: { description: 'The requested range of the image.', headers: 'range', ...image },
    302: { description: 'The image is at another URL.', headers: 'redirect' },
    304: { description: 'Not modified.', headers: 'image' },
    416: { description: 'Range not satisfiable.', headers: 'range' },
  },
  errors: readErrors,
};
const metadata = read(
  'getMetadata',
  'Downloads',
  'Get the document from which clients add a box',
  'Metadata',
);

const clientOperations: Operations = {
  'GET :username/:name': metadata,
  'GET api/v2/vagrant/:username/:name': { ...metadata, id: 'getMetadataV2' },
  'GET :username/boxes/:name/versions/:version/providers/:file': {
    ...download,
    id: 'downloadDefaultImage',
    summary: 'Download the image of the default architecture, or get its URL',
  },
  'GET :username/boxes/:name/versions/:version/providers/:provider/:architecture/vagrant.box': download,
};

/** The operations below a base; `api/v2` has the same as `api/v1`. */
function apiOperations(base: string): Operations {
  const box = `${base}/box/:username/:name`;
  const version = `${box}/version/:version`;
  const provider = `${version}/provider/:provider`;
  return {
    [`POST ${base}/authenticate`]: {
      id: 'createToken',
      tag: 'Tokens',
      summary: 'Create a token with login, password and code',
      isUnauthenticated: true,
      body: body('TokenInput'),
      responses: {
        ...returns('Token'),
        406: { description: 'A code is required.', schema: s.ref('TwoFactorRequired') },
      },
      errors: [401, 403],
    },
    [`GET ${base}/authenticate`]: {
      id: 'validateToken',
      tag: 'Tokens',
      summary: 'Get the user of the token',
      requiresToken: true,
      responses: { 200: { schema: s.object({ user: s.object({ username: s.text() }) }) } },
    },
    [`DELETE ${base}/authenticate`]: {
      id: 'deleteToken',
      tag: 'Tokens',
      summary: 'Delete the token of the request',
      requiresToken: true,
      responses: { 204: {} },
    },
    [`POST ${base}/two-factor/request-code`]: {
      id: 'requestCode',
      tag: 'Tokens',
      summary: 'Request a code for two-factor authentication',
      isUnauthenticated: true,
      body: body('CodeInput'),
      responses: {
        200: { schema: s.object({ two_factor: s.object({ obfuscated_destination: s.text() }) }) },
      },
      errors: [401, 403],
    },
    [`GET ${base}/user/:username`]: {
      ...read('getOwner', 'Owners', 'Get a user or an organization with its boxes', 'Owner'),
      errors: [404],
    },
    [`POST ${base}/organizations`]: {
      ...write('createOrganization', 'Owners', 'Create an organization', 'Owner', 'OrganizationInput'),
      errors: [403, 422],
    },
    [`GET ${base}/search`]: {
      id: 'search',
      tag: 'Boxes',
      summary: 'Search boxes that have a released version',
      query: {
        q: s.text('Text in the name or the short description.'),
        provider: s.text('Name of a provider of the current version.'),
        sort: s.oneOf(['downloads', 'created', 'updated'], 'Default: downloads.'),
        order: s.oneOf(['desc', 'asc'], 'Default: desc.'),
        limit: s.integer('Boxes in a page.', { minimum: 1, maximum: 100, default: 10 }),
        page: s.integer('Number of the page.', { minimum: 1, default: 1 }),
      },
      responses: { 200: { schema: s.object({ boxes: s.array(s.ref('BoxSummary')) }) } },
      errors: [403],
    },
    [`POST ${base}/boxes`]: write('createBox', 'Boxes', 'Create a box', 'Box', 'BoxInput'),
    [`GET ${box}`]: read('getBox', 'Boxes', 'Read a box', 'Box'),
    [`PUT ${box}`]: write('updateBox', 'Boxes', 'Update a box', 'Box', 'BoxUpdate'),
    [`DELETE ${box}`]: write('deleteBox', 'Boxes', 'Delete a box with its versions', 'BoxSummary'),
    [`POST ${box}/versions`]: write(
      'createVersion',
      'Versions',
      'Create a version',
      'Version',
      'VersionInput',
    ),
    [`GET ${version}`]: read('getVersion', 'Versions', 'Read a version', 'Version'),
    [`PUT ${version}`]: write('updateVersion', 'Versions', 'Update a version', 'Version', 'VersionUpdate'),
    [`DELETE ${version}`]: write('deleteVersion', 'Versions', 'Delete a version', 'Version'),
    [`PUT ${version}/release`]: write('releaseVersion', 'Versions', 'Release a version', 'Version'),
    [`PUT ${version}/revoke`]: write('revokeVersion', 'Versions', 'Revoke a version', 'Version'),
    [`POST ${version}/providers`]: write(
      'createProvider',
      'Providers',
      'Create a provider',
      'Provider',
      'ProviderInput',
    ),
    ...providerOperations(provider, ''),
    ...providerOperations(`${provider}/:architecture`, 'ForArchitecture'),
  };
}

function providerOperations(provider: string, suffix: string): Operations {
  const of = suffix === '' ? 'of the default architecture' : 'of an architecture';
  return {
    [`GET ${provider}`]: read(`getProvider${suffix}`, 'Providers', `Read a provider ${of}`, 'Provider'),
    [`PUT ${provider}`]: write(
      `updateProvider${suffix}`,
      'Providers',
      `Update a provider ${of}`,
      'Provider',
      'ProviderUpdate',
    ),
    [`DELETE ${provider}`]: write(
      `deleteProvider${suffix}`,
      'Providers',
      `Delete a provider ${of}`,
      'ProviderSummary',
    ),
    [`GET ${provider}/upload`]: {
      ...write(`prepareUpload${suffix}`, 'Uploads', `Start an upload ${of}`, ''),
      description: 'PUT the image to `upload_path`, without a token.',
      responses: { 200: { schema: s.object({ upload_path: s.text() }) } },
    },
    [`GET ${provider}/upload/direct`]: {
      ...write(`prepareDirectUpload${suffix}`, 'Uploads', `Start a direct upload ${of}`, ''),
      description: 'PUT the image to `upload_path`, without a token. Then PUT to `callback`.',
      responses: { 200: { schema: s.object({ upload_path: s.text(), callback: s.text() }) } },
    },
    [`PUT ${provider}/upload/direct/:upload`]: write(
      `confirmUpload${suffix}`,
      'Uploads',
      `Use the image of a direct upload ${of}`,
      'Provider',
    ),
  };
}

const withSuffix = (operations: Operations, suffix: string): Operations =>
  Object.fromEntries(
    Object.entries(operations).map(([key, operation]) => [key, { ...operation, id: operation.id + suffix }]),
  );

/** The box registry, for its OpenAPI document. */
export const boxDescription: ServiceDescription = {
  name: 'box',
  title: 'Box registry',
  description:
    'Boxes, versions, providers and images of the embedded box registry of Lanyard, which speaks the protocol of Vagrant Cloud. `api/v2` has the same operations as `api/v1`, and shows all architectures. Callers without a token see public boxes. Unknown fields are ignored, and null counts as missing. Images are uploaded to another origin, whose address is in `upload_path`.',
  port: 8090,
  tags: {
    Boxes: 'Boxes and search.',
    Versions: 'Versions of a box.',
    Providers: 'Providers of a version.',
    Uploads: 'Uploads of images.',
    Downloads: 'Metadata and images for clients.',
    Tokens: 'Tokens and two-factor authentication.',
    Owners: 'Users and organizations.',
  },
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer' },
    accessToken: { type: 'apiKey', in: 'query', name: 'access_token' },
    atlasToken: { type: 'apiKey', in: 'header', name: 'X-Atlas-Token' },
    boxToken: { type: 'apiKey', in: 'header', name: 'X-Box-Token' },
  },
  hasAnonymousCallers: true,
  parameters: {
    username: s.text('Name of the user or organization.'),
    name: s.text('Name of the box.'),
    version: s.text('Version, such as `1.2.3`.'),
    provider: s.text('Name of the provider, such as `virtualbox`.'),
    architecture: s.text('Architecture, such as `amd64`.'),
    upload: s.text('ID of the upload, from its `callback`.'),
    file: s.text('Name of the provider, then `.box`.'),
  },
  headers: {
    image: { ETag: s.text(), 'Accept-Ranges': s.text() },
    range: { ETag: s.text(), 'Accept-Ranges': s.text(), 'Content-Range': s.text() },
    redirect: { Location: s.text('URL of the image.') },
  },
  schemas: boxSchemas,
  error: { schema: s.ref('Error') },
  // 429: over a rate limit, or too many password checks; 503: maintenance.
  commonErrors: { all: [429, 500, 503], authenticated: [401], withBody: [400, 413] },
  operations: {
    ...clientOperations,
    ...apiOperations('api/v1'),
    ...withSuffix(apiOperations('api/v2'), 'V2'),
  },
};
