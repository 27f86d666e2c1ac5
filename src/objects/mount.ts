import { field, type ObjectSchema, type Schema } from './schema.ts';

const names = (description: string, alias?: string) =>
  field.set(field.string(), {
    isCommaSeparated: true,
    description,
    flag: { value: 'NAME', ...(alias !== undefined && { aliases: [alias] }) },
  });

/** The settings of a mount that `tune` changes. */
const settings = {
  default_lease_ttl: field.duration('seconds', {
    description: 'Default lease duration; 0: of the system.',
    flag: { help: 'default lease duration (0: system default)' },
  }),
  max_lease_ttl: field.duration('seconds', {
    description: 'Maximum lease duration; 0: of the system.',
    flag: { help: 'maximum lease duration (0: system default)' },
  }),
  listing_visibility: field.choice(['hidden', 'unauth'], {
    default: 'hidden',
    description: 'unauth: the path is listed without a token.',
    flag: { help: 'whether the path is listed without a token' },
  }),
  audit_non_hmac_request_keys: names(
    'Request fields that audit devices do not hash.',
    'audit-non-hmac-request-key',
  ),
  audit_non_hmac_response_keys: names(
    'Response fields that audit devices do not hash.',
    'audit-non-hmac-response-key',
  ),
  passthrough_request_headers: names('Request headers to pass to the plugin.'),
  allowed_response_headers: names('Response headers that the plugin may set.'),
};

const options = field.object(
  { version: field.choice(['1', '2'], { default: '1', description: 'Version of a key-value engine.' }) },
  {
    isOpen: true,
    description: 'Options of the type.',
    flag: { name: 'option', aliases: ['options'], help: 'option of the type; repeatable', isKept: true },
  },
);

/** What is stated only when a mount is enabled. */
const fixed = {
  local: field.boolean({
    isImmutable: true,
    description: 'Not replicated to other clusters.',
    flag: { help: 'do not replicate the mount to other clusters' },
  }),
  seal_wrap: field.boolean({
    isImmutable: true,
    description: 'Encrypted with the seal too.',
    flag: { help: 'encrypt its data with the seal too' },
  }),
  external_entropy_access: field.boolean({ isImmutable: true, flag: false }),
  plugin_version: field.string({
    description: 'Version of the plugin.',
    flag: { value: 'VERSION', isNeverEmpty: true },
  }),
};

const mountOf = (more: ObjectSchema['properties']) =>
  field.object(
    {
      type: field.string({
        flag: false,
        isImmutable: true,
        pattern: /^(?!kv-v[12]$)/,
        description: 'Type, such as kv or ssh; kv-v2 is type kv with options.version 2.',
      }),
      description: field.string({ description: 'Description.' }),
      options,
      config: field.object(
        { ...settings, ...more, force_no_cache: field.boolean({ isImmutable: true, flag: false }) },
        { isOpen: true, description: 'Settings; unknown settings are sent unchanged.' },
      ),
      ...fixed,
    },
    { required: ['type'] },
  );

/** A secrets engine (docs/protocol/secrets.md#mounts). */
export const secretsEngine = mountOf({});

/** An auth method, without the configuration of its type (docs/protocol/secrets.md#mounts). */
export const secretsAuthMethod = mountOf({
  token_type: field.choice(['default-service', 'default-batch', 'service', 'batch'], {
    default: 'default-service',
    description: 'Type of the tokens of its logins.',
  }),
});

/** What `tune` changes of a mount. */
export const tunedFields = ({ properties }: ObjectSchema): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries<Schema>(properties).filter(([name]) => !Object.hasOwn(fixed, name)),
  ),
});
