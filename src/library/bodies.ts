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
export type SecretsMount = BodyOf<SecretsClient, 'getEngine'>;
/** Names or IDs in the secrets service. */
export type SecretsKeys = BodyOf<SecretsClient, 'list'>;
/** An issuer of an SSH engine. */
export type SshIssuer = BodyOf<SecretsClient, 'getIssuer'>;
/** The seal of the secrets service. */
export type SealStatus = BodyOf<SecretsClient, 'sealStatus'>;

/** A key of the registry's key-value store. */
export type RegistryKey = ItemOf<BodyOf<RegistryClient, 'getKey'>>;
/** A policy of the registry. */
export type RegistryPolicy = BodyOf<RegistryClient, 'getPolicy'>;
/** A token of the registry. */
export type RegistryToken = BodyOf<RegistryClient, 'getToken'>;
/** A role of the registry. */
export type RegistryRole = BodyOf<RegistryClient, 'getRole'>;
/** An auth method of the registry. */
export type RegistryAuthMethod = BodyOf<RegistryClient, 'getAuthMethod'>;
/** A binding rule of the registry. */
export type RegistryBindingRule = BodyOf<RegistryClient, 'getBindingRule'>;
/** A session of the registry. */
export type RegistrySession = ItemOf<BodyOf<RegistryClient, 'getSession'>>;
/** A prepared query of the registry. */
export type PreparedQuery = ItemOf<BodyOf<RegistryClient, 'getQuery'>>;
/** A compiled discovery chain. */
export type CompiledChain = BodyOf<RegistryClient, 'getChain'>;

/** A provider of a box version. */
export type BoxProvider = BodyOf<BoxClient, 'getProvider'>;
/** A version of a box. */
export type BoxVersion = BodyOf<BoxClient, 'getVersion'>;
/** A box. */
export type Box = BodyOf<BoxClient, 'getBox'>;
/** An organization of the box registry. */
export type BoxOrganization = BodyOf<BoxClient, 'getOrganization'>;

/** A namespace of the scheduler. */
export type SchedulerNamespace = BodyOf<SchedulerClient, 'getNamespace'>;
/** A variable of the scheduler. Times are in nanoseconds since 1970. */
export type SchedulerVariable = BodyOf<SchedulerClient, 'getVariable'>;
/** A variable of the scheduler without its items. */
export type SchedulerVariableMetadata = ItemOf<BodyOf<SchedulerClient, 'listVariables'>>;

/** An account. It never contains the password. */
export type Account = BodyOf<AccountsClient, 'getAccount'>;
/** An auth method of the account service. */
export type AccountsAuthMethod = BodyOf<AccountsClient, 'getAuthMethod'>;
/** A token of the account service. */
export type AccountsToken = BodyOf<AccountsClient, 'getAuthToken'>;
/** The token of a login to the account service. */
export type AccountsLogin = BodyOf<AccountsClient, 'login'>;
