import { type FieldsOf, field, type ReturnedFields } from './schema.ts';

const folding = { foldsNames: true } as const;
const inFilesOnly = { flag: false } as const;
/** In the flag a text, or the name of a file that has it. */
const pemFile = { value: '@FILE', completes: 'file', isFile: true } as const;

/** Settings of the types of auth methods. */
const config = field.object(
  {
    JWTValidationPubKeys: field.set(field.lines(), {
      description: 'Public keys in PEM format.',
      flag: {
        ...pemFile,
        name: 'jwt-validation-pub-key',
        help: 'jwt: public key in PEM form; repeatable',
        isRepeated: true,
        isKept: true,
      },
    }),
    JWKSURL: field.string({
      description: 'URL of the public keys.',
      flag: { name: 'jwks-url', value: 'URL', help: 'jwt: URL of the public keys' },
    }),
    JWKSCACert: field.lines(inFilesOnly),
    OIDCDiscoveryURL: field.string({
      description: 'URL of the issuer.',
      flag: { name: 'oidc-discovery-url', value: 'URL', help: 'jwt, oidc: URL of the issuer' },
    }),
    OIDCDiscoveryCACert: field.lines(inFilesOnly),
    BoundIssuer: field.string({
      description: 'Required issuer (default: any).',
      flag: { value: 'ISSUER', help: 'jwt: issuer that tokens must have' },
    }),
    BoundAudiences: field.set(field.string(), {
      description: 'Accepted audiences (default: any).',
      flag: {
        name: 'bound-audience',
        aliases: ['bound-audiences'],
        value: 'AUDIENCE',
        help: 'jwt, oidc: allowed audience; repeatable',
      },
    }),
    JWTSupportedAlgs: field.set(field.string(), {
      default: ['RS256'],
      description: 'Accepted signature algorithms (default RS256).',
      flag: {
        name: 'jwt-supported-alg',
        aliases: ['jwt-supported-algs'],
        value: 'ALG',
        help: 'jwt, oidc: allowed signature algorithm (default RS256); repeatable',
      },
    }),
    ClaimMappings: field.map(field.string(), {
      description: 'Names of variables by claim.',
      flag: {
        name: 'claim-mapping',
        value: 'CLAIM=NAME',
        help: 'jwt, oidc: claim that selectors know as value.NAME; repeatable',
      },
    }),
    ListClaimMappings: field.map(field.string(), {
      description: 'Names of variables by list claim.',
      flag: {
        name: 'list-claim-mapping',
        value: 'CLAIM=NAME',
        help: 'jwt, oidc: claim that selectors know as list.NAME; repeatable',
      },
    }),
    ExpirationLeeway: field.duration('nanoseconds', {
      ...inFilesOnly,
      description: 'Accepted after the expiration.',
    }),
    NotBeforeLeeway: field.duration('nanoseconds', {
      ...inFilesOnly,
      description: 'Accepted before the validity.',
    }),
    ClockSkewLeeway: field.duration('nanoseconds', {
      ...inFilesOnly,
      description: 'Accepted difference of clocks.',
    }),
    OIDCClientID: field.string({
      description: 'ID of the OIDC client.',
      flag: { name: 'oidc-client-id', value: 'ID', help: 'oidc: client ID' },
    }),
    OIDCClientSecret: field.secret({
      isWriteOnly: true,
      description: 'Secret of the OIDC client.',
      flag: {
        name: 'oidc-client-secret',
        help: 'oidc: source of the client secret',
        secret: 'client secret',
        isKept: true,
      },
    }),
    OIDCScopes: field.set(field.string(), inFilesOnly),
    OIDCACRValues: field.list(field.string(), inFilesOnly),
    AllowedRedirectURIs: field.set(field.string(), {
      description: 'Allowed redirect URIs.',
      flag: {
        name: 'allowed-redirect-uri',
        aliases: ['allowed-redirect-uris'],
        value: 'URI',
        help: 'oidc: allowed redirect URI; repeatable',
      },
    }),
    VerboseOIDCLogging: field.boolean(inFilesOnly),
    Host: field.string({
      description: 'Address of the Kubernetes API.',
      flag: { name: 'kubernetes-host', value: 'URL', help: 'kubernetes: address of the API server' },
    }),
    CACert: field.lines({
      description: 'CA certificate of the Kubernetes API in PEM format.',
      flag: {
        ...pemFile,
        name: 'kubernetes-ca-cert',
        help: 'kubernetes: CA certificate of the API server in PEM form',
      },
    }),
    ServiceAccountJWT: field.secret({
      isWriteOnly: true,
      description: 'Token of a service account for the TokenReview API.',
      flag: {
        name: 'kubernetes-service-account-jwt',
        help: 'kubernetes: source of the JWT for token reviews',
        secret: 'service account JWT',
        isKept: true,
      },
    }),
    BoundIAMPrincipalARNs: field.set(field.string(), inFilesOnly),
    EnableIAMEntityDetails: field.boolean(inFilesOnly),
    IAMEntityTags: field.set(field.string(), inFilesOnly),
    ServerIDHeaderValue: field.string(inFilesOnly),
    MaxRetries: field.integer(inFilesOnly),
    IAMEndpoint: field.string(inFilesOnly),
    STSEndpoint: field.string(inFilesOnly),
    AllowedSTSHeaderValues: field.set(field.string(), inFilesOnly),
  },
  { ...folding, isOpen: true, description: 'Settings of the type.' },
);

/** An auth method of the registry (docs/protocol/registry.md#login). */
export const registryAuthMethod = field.object(
  {
    Type: field.string({
      isImmutable: true,
      description: 'Type of the method: `jwt`, `oidc`, `kubernetes` or `aws-iam`.',
      flag: {
        choices: ['jwt', 'oidc', 'kubernetes', 'aws-iam'],
        help: 'type (required for a new method; cannot be changed)',
      },
    }),
    DisplayName: field.string({ description: 'Name for user interfaces.' }),
    Description: field.string({ description: 'Description.' }),
    MaxTokenTTL: field.duration('text', {
      description: 'Lifetime of the tokens of its logins (default: unlimited).',
      flag: { name: 'max-token-ttl', help: 'maximum lifetime of tokens of logins' },
    }),
    TokenLocality: field.choice(['local', 'global'], {
      default: 'local',
      description: 'Where the tokens of its logins are valid.',
      flag: { help: 'where tokens of logins are valid (default local)', isKept: true },
    }),
    Config: config,
  },
  { ...folding, required: ['Type'] },
);

/** The fields of an auth method on create and update. */
export type AuthMethodFields = FieldsOf<typeof registryAuthMethod>;
/** An auth method as the registry returns it. */
export type ReturnedAuthMethod = ReturnedFields<typeof registryAuthMethod>;
