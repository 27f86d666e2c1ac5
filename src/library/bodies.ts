import type { Auth, Wrap } from '../wire/responses/secrets.ts';
import type {
  AccountsClient,
  BoxClient,
  RegistryClient,
  SchedulerClient,
  SecretsClient,
} from './operations.ts';

/** The body of the response to an operation. */
type BodyOf<Client, Name extends keyof Client> = Client[Name] extends (
  input: never,
) => Promise<{ readonly body: infer Body }>
  ? NonNullable<Body>
  : never;

type ItemOf<List> = NonNullable<List> extends readonly (infer Item)[] ? Item : never;

// Bodies that several operations have: first those that others contain. The declarations of the package use these names.

/** The token in a response of the secrets service: of a login, or a new one. */
export type ResponseAuth = Auth;
/** Where a wrapped response of the secrets service is. */
export type ResponseWrap = Wrap;
/** The response of the secrets service to a write without a result. */
export type SecretsWritten = BodyOf<SecretsClient, 'putRole'>;
/** The token of a login to the secrets service. */
export type SecretsLogin = BodyOf<SecretsClient, 'loginUserpass'>;
/** A new token of the secrets service. */
export type SecretsToken = BodyOf<SecretsClient, 'createToken'>;
/** The properties of a token of the secrets service. */
export type SecretsTokenProperties = BodyOf<SecretsClient, 'lookupSelf'>;
/** A renewed token of the secrets service. */
export type SecretsRenewal = BodyOf<SecretsClient, 'renewSelf'>;
/** The mounts of the secrets service, by path. */
export type SecretsMounts = BodyOf<SecretsClient, 'listEngines'>;
/** A mount of the secrets service. */
export type SecretsMount = BodyOf<SecretsClient, 'readEngine'>;
/** Names or IDs in the secrets service. */
export type SecretsKeys = BodyOf<SecretsClient, 'list'>;
/** An issuer of an SSH engine. */
export type SshIssuer = BodyOf<SecretsClient, 'readIssuer'>;
/** The seal of the secrets service. */
export type SealStatus = BodyOf<SecretsClient, 'sealStatus'>;

/** A key of the registry's key-value store. */
export type RegistryKey = ItemOf<BodyOf<RegistryClient, 'readKey'>>;
/** A policy of the registry. */
export type RegistryPolicy = BodyOf<RegistryClient, 'readPolicy'>;
/** A token of the registry. */
export type RegistryToken = BodyOf<RegistryClient, 'readToken'>;
/** A role of the registry. */
export type RegistryRole = BodyOf<RegistryClient, 'readRole'>;
/** An auth method of the registry. */
export type RegistryAuthMethod = BodyOf<RegistryClient, 'readAuthMethod'>;
/** A binding rule of the registry. */
export type RegistryBindingRule = BodyOf<RegistryClient, 'readBindingRule'>;
/** A session of the registry. */
export type RegistrySession = ItemOf<BodyOf<RegistryClient, 'readSession'>>;
/** A prepared query of the registry. */
export type PreparedQuery = ItemOf<BodyOf<RegistryClient, 'readQuery'>>;
/** A compiled discovery chain. */
export type CompiledChain = BodyOf<RegistryClient, 'readChain'>;

/** A provider of a box version. */
export type BoxProvider = BodyOf<BoxClient, 'readProvider'>;
/** A version of a box. */
export type BoxVersion = BodyOf<BoxClient, 'readVersion'>;
/** A box. */
export type Box = BodyOf<BoxClient, 'readBox'>;
/** An organization of the box registry. */
export type BoxOrganization = BodyOf<BoxClient, 'readOrganization'>;

/** A namespace of the scheduler. */
export type SchedulerNamespace = BodyOf<SchedulerClient, 'readNamespace'>;
/** A variable of the scheduler. Times are in nanoseconds since 1970. */
export type SchedulerVariable = BodyOf<SchedulerClient, 'readVariable'>;
/** A variable of the scheduler without its items. */
export type SchedulerVariableMetadata = ItemOf<BodyOf<SchedulerClient, 'listVariables'>>;

/** An account. It never contains the password. */
export type Account = BodyOf<AccountsClient, 'readAccount'>;
/** An auth method of the account service. */
export type AccountsAuthMethod = BodyOf<AccountsClient, 'readAuthMethod'>;
/** A token of the account service. */
export type AccountsToken = BodyOf<AccountsClient, 'readAuthToken'>;
/** The token of a login to the account service. */
export type AccountsLogin = BodyOf<AccountsClient, 'logIn'>;
