import type { PreparedQueryFields } from '../objects/prepared-query.ts';
import type { PolicyFields, RoleFields, TokenFields } from '../objects/registry-acl.ts';
import type { AuthMethodFields } from '../objects/registry-auth-method.ts';
import type { BindingRuleFields } from '../objects/registry-binding-rule.ts';
import type { AgentServiceFields } from '../objects/registry-service.ts';

// The bodies of writes of the registry. Its operations accept any fields, because the command line checks them itself.

interface InDatacenter {
  dc?: string | undefined;
}

interface Named {
  Name: string;
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
  createPolicy: Named & PolicyFields;
  updatePolicy: Named & PolicyFields & WithId;
  createToken: TokenFields & { AccessorID?: string | undefined };
  updateToken: Pick<TokenFields, 'Description' | 'Roles' | keyof RoleFields> & WithId;
  cloneToken: WithId & { Description?: string };
  createRole: Named & RoleFields;
  updateRole: Named & RoleFields & WithId;
  createAuthMethod: Named & AuthMethodFields & InDatacenter;
  updateAuthMethod: AuthMethodFields & InDatacenter & { name: string; Name?: string | undefined };
  createBindingRule: BindingRuleFields & InDatacenter;
  updateBindingRule: BindingRuleFields & InDatacenter & WithId;
  registerService: AgentServiceFields;
  writeEntry: Entry;
  createQuery: PreparedQueryFields & InDatacenter;
  updateQuery: PreparedQueryFields & InDatacenter & { query: string };
}
