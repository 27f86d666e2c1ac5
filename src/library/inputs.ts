import type { PreparedQueryFields } from '../objects/prepared-query.ts';

// The bodies of writes of the registry. Its operations accept any fields, because the command line checks them itself.

interface InDatacenter {
  dc?: string | undefined;
}

interface Link {
  readonly ID?: string;
  readonly Name?: string;
}

interface Identities {
  Policies?: readonly Link[];
  ServiceIdentities?: readonly { readonly ServiceName: string; readonly Datacenters?: readonly string[] }[];
  NodeIdentities?: readonly { readonly NodeName: string; readonly Datacenter?: string }[];
  TemplatedPolicies?: readonly {
    readonly TemplateName: string;
    readonly TemplateVariables?: Readonly<Record<string, unknown>>;
    readonly Datacenters?: readonly string[];
  }[];
}

interface Policy {
  Name: string;
  Description?: string;
  /** Rules in HCL or JSON. */
  Rules?: string;
  /** Where the policy is valid; default: everywhere. */
  Datacenters?: readonly string[];
}

interface Token extends Identities {
  Description?: string;
  Roles?: readonly Link[];
}

interface NewToken extends Token {
  AccessorID?: string;
  SecretID?: string;
  /** Valid in the datacenter of the agent only. */
  Local?: boolean;
  /** RFC 3339. */
  ExpirationTime?: string;
  /** A duration. */
  ExpirationTTL?: string;
}

interface Role extends Identities {
  Name: string;
  Description?: string;
}

interface AuthMethod extends InDatacenter {
  Name: string;
  /** `jwt`, `oidc`, `kubernetes` or `aws-iam`. */
  Type: string;
  DisplayName?: string;
  Description?: string;
  /** A duration. */
  MaxTokenTTL?: string;
  /** `local` or `global`. */
  TokenLocality?: string;
  /** The settings of the type. */
  Config?: Readonly<Record<string, unknown>>;
}

interface BindingRule extends InDatacenter {
  AuthMethod: string;
  /** `service`, `node`, `role`, `policy` or `templated-policy`. */
  BindType: string;
  BindName?: string;
  /** Variables of a templated policy. */
  BindVars?: Readonly<Record<string, unknown>>;
  Selector?: string;
  Description?: string;
}

interface Service {
  Name: string;
  ID?: string;
  Address?: string;
  Port?: number;
  Tags?: readonly string[];
  Meta?: Readonly<Record<string, string>>;
  Check?: Readonly<Record<string, unknown>>;
  Checks?: readonly Readonly<Record<string, unknown>>[];
  /** Other fields of the agent's API, such as `Kind` and `Proxy`. */
  [field: string]: unknown;
}

interface Entry extends InDatacenter {
  Kind: string;
  Name?: string;
  /** The index of the existing entry; 0: it must not exist. */
  cas?: number;
  /** The fields of the kind. */
  [field: string]: unknown;
}

interface WithId {
  id: string;
}

/** The inputs of operations whose body the table of operations leaves open. */
export interface RegistryInputs {
  createPolicy: Policy;
  updatePolicy: Policy & WithId;
  createToken: NewToken;
  updateToken: Token & WithId;
  cloneToken: WithId & { Description?: string };
  createRole: Role;
  updateRole: Role & WithId;
  createAuthMethod: AuthMethod;
  updateAuthMethod: Omit<AuthMethod, 'Name'> & { name: string; Name?: string };
  createBindingRule: BindingRule;
  updateBindingRule: BindingRule & WithId;
  registerService: Service;
  writeEntry: Entry;
  createQuery: PreparedQueryFields & InDatacenter;
  updateQuery: PreparedQueryFields & InDatacenter & { query: string };
}
