import * as s from '../../core/openapi/schema.ts';
import { architectures } from '../handlers/providers.ts';
import { checksumTypes } from '../images/images.ts';

const description = {
  description_html: s.nullable(s.text('The description as HTML.')),
  description_markdown: s.nullable(s.text()),
};
const times = { created_at: s.time(), updated_at: s.time() };
const checksum = {
  checksum: s.nullable(s.text('Hexadecimal digits.')),
  checksum_type: s.nullable(s.oneOf([...checksumTypes])),
};
const architecture = s.oneOf([...architectures], 'Architecture of the virtual machine.');
const defaultArchitecture = s.boolean('Whether it is the provider for clients that name no architecture.');

const provider = {
  name: s.text(),
  hosted: s.boolean('Whether the image is uploaded, not at a URL.'),
  hosted_token: { type: 'null' },
  original_url: s.nullable(s.text('The URL of an image that is not uploaded.')),
  ...times,
  download_url: s.text(),
  architecture,
  default_architecture: defaultArchitecture,
};

const box = {
  ...times,
  tag: s.text('`username/name`.'),
  name: s.text(),
  short_description: s.text(),
  ...description,
  username: s.text('The user or organization that owns the box.'),
  private: s.boolean(),
  downloads: s.integer(),
  current_version: s.nullable(s.ref('Version')),
};

const user = s.input({ 'login!': s.text('Name or email address.'), 'password!': s.text() });
const nullableText = (text?: string) => s.nullable(s.text(text));

const boxFields = {
  name: nullableText('Default of an update: unchanged.'),
  short_description: nullableText(),
  description: nullableText('Markdown.'),
  is_private: s.nullable(s.boolean(undefined, { default: true })),
};
const newBox = { ...boxFields, 'username!': s.text('The user or organization.'), 'name!': s.text() };
const versionFields = {
  version: nullableText('Such as `1.2.3` or `1.2.3-rc.1`.'),
  description: nullableText('Markdown.'),
};
const providerFields = {
  name: nullableText(),
  architecture: s.nullable(architecture),
  default_architecture: s.nullable(defaultArchitecture),
  url: nullableText('HTTP or HTTPS URL of the image; empty: the image is uploaded.'),
  checksum: nullableText('Hexadecimal digits.'),
  checksum_type: nullableText(`One of ${checksumTypes.join(', ')}.`),
};

export const boxSchemas: s.Schemas = {
  Error: s.object({ errors: s.array(s.text()), success: s.boolean(undefined, { const: false }) }),
  TwoFactorRequired: s.object({
    errors: s.array(s.text()),
    success: s.boolean(undefined, { const: false }),
    two_factor: s.object({ default_delivery_method: s.text(), delivery_methods: s.array(s.text()) }),
  }),
  Box: s.object({ ...box, versions: s.array(s.ref('Version')) }),
  BoxSummary: s.object(box, 'A box without its versions.'),
  Version: s.object({
    version: s.text(),
    number: s.text('The same as `version`.'),
    status: s.oneOf(['unreleased', 'active', 'revoked']),
    ...description,
    ...times,
    release_url: s.text(),
    revoke_url: s.text(),
    providers: s.array(s.ref('ProviderSummary'), 'At `api/v1`: the default provider of each name.'),
  }),
  Provider: s.object({ ...provider, ...checksum }),
  ProviderSummary: s.object(provider, 'A provider without its checksum.'),
  Owner: s.object({
    username: s.text(),
    avatar_url: s.text(),
    profile_html: s.text(),
    profile_markdown: s.text(),
    boxes: s.array(s.ref('BoxSummary'), 'The boxes that the caller may see.'),
  }),
  Metadata: s.object(
    {
      name: s.text('`username/name`.'),
      short_description: s.text(),
      description: s.text(),
      versions: s.array(
        s.object({
          version: s.text(),
          status: s.oneOf(['active']),
          ...description,
          providers: s.array(
            s.object({
              name: s.text(),
              url: s.text('URL of the image.'),
              ...checksum,
              architecture,
              default_architecture: defaultArchitecture,
            }),
          ),
        }),
      ),
    },
    'The document from which clients add a box: released versions with their images.',
  ),
  Token: s.object({
    description: s.text(),
    token: s.text('The token. It is not shown again.'),
    token_hash: s.text(),
    created_at: s.time(),
  }),
  TokenInput: s.input({
    'user!': user,
    token: s.nullable(s.input({ description: nullableText() })),
    two_factor: s.nullable(s.input({ code: nullableText('The code of two-factor authentication.') })),
  }),
  CodeInput: s.input({
    'two_factor!': s.input({ 'delivery_method!': s.oneOf(['sms']) }),
    'user!': user,
  }),
  OrganizationInput: s.input({
    'organization!': s.input({ 'username!': s.text('Name of the organization.') }),
  }),
  BoxInput: {
    description: 'The fields of the box, in `box` or in the body itself.',
    anyOf: [s.input({ 'box!': s.input(newBox) }), s.input(newBox)],
  },
  BoxUpdate: {
    description:
      'The fields to change, in `box` or in the body itself. Without `is_private`, the box becomes private.',
    anyOf: [s.input({ 'box!': s.input(boxFields) }), s.input(boxFields)],
  },
  VersionInput: s.input({
    'version!': s.input({ ...versionFields, 'version!': s.text('Such as `1.2.3`.') }),
  }),
  VersionUpdate: s.input({ 'version!': s.input(versionFields) }),
  ProviderInput: s.input({ 'provider!': s.input({ ...providerFields, 'name!': s.text() }) }),
  ProviderUpdate: s.input({ 'provider!': s.input(providerFields) }),
};
