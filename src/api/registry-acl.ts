import * as v from 'valibot';
import type { ReturnedPolicy, ReturnedRole, ReturnedToken } from '../objects/registry-acl.ts';
import type { ReturnedAuthMethod } from '../objects/registry-auth-method.ts';
import type { ReturnedBindingRule } from '../objects/registry-binding-rule.ts';
import type * as wire from '../wire/responses/registry.ts';
import { checked, checkedList, flag, index, shown, text, texts } from './decode.ts';
import type { Decoder } from './operation.ts';

/** Policies and roles that a token has, by ID and name. */
const links = v.nullish(v.array(v.looseObject({ Name: text, ID: text })));

/** Identities and templated policies of a token or role. */
const identities = {
  ServiceIdentities: v.nullish(v.array(v.looseObject({ ServiceName: v.string(), Datacenters: texts }))),
  NodeIdentities: v.nullish(v.array(v.looseObject({ NodeName: v.string(), Datacenter: text }))),
  TemplatedPolicies: v.nullish(
    v.array(
      v.looseObject({
        TemplateName: text,
        TemplateID: text,
        TemplateVariables: v.nullish(v.record(v.string(), v.unknown())),
        Datacenters: texts,
      }),
    ),
  ),
};

const policySchema = v.looseObject({
  ...shown<ReturnedPolicy & wire.Hashed>({ Description: text, Rules: text, ModifyIndex: index }),
  ID: v.string(),
  Name: v.string(),
  /** Where the policy is valid; none: everywhere. */
  Datacenters: texts,
});

const roleSchema = v.looseObject({
  ...shown<ReturnedRole & wire.Hashed>({ Description: text, ModifyIndex: index }),
  ID: v.string(),
  Name: v.string(),
  Policies: links,
  ...identities,
});

const tokenSchema = v.looseObject({
  ...shown<ReturnedToken & wire.Hashed>({
    Description: text,
    Local: flag,
    ExpirationTime: text,
    ModifyIndex: index,
  }),
  /** The auth method of the login that created the token. */
  AuthMethod: text,
  /** RFC 3339. */
  CreateTime: text,
  /** Identifies the token without being a secret. */
  AccessorID: v.string(),
  /** The token; `<hidden>`: it is not shown. */
  SecretID: v.string(),
  Policies: links,
  Roles: links,
  ...identities,
  /** Of a read with `expanded`: every policy, also of roles, identities and templates. */
  ExpandedPolicies: v.nullish(v.array(policySchema)),
  /** Of a read with `expanded`. */
  ExpandedRoles: v.nullish(v.array(roleSchema)),
  /** Of a read with `expanded`: the permission of what no rule names. */
  AgentACLDefaultPolicy: text,
});

const authMethodSchema = v.looseObject({
  ...shown<ReturnedAuthMethod & wire.Indexes>({
    DisplayName: text,
    Description: text,
    MaxTokenTTL: text,
    TokenLocality: text,
    CreateIndex: index,
    ModifyIndex: index,
  }),
  Name: v.string(),
  /** `jwt`, `oidc`, `kubernetes` or `aws-iam`. */
  Type: v.string(),
  /** The settings of the type. */
  Config: v.nullish(v.record(v.string(), v.unknown())),
});

const bindingRuleSchema = v.looseObject({
  ...shown<ReturnedBindingRule & wire.Indexes>({
    Description: text,
    Selector: text,
    BindName: text,
    ModifyIndex: index,
  }),
  ID: v.string(),
  AuthMethod: v.string(),
  /** `service`, `node`, `role`, `policy` or `templated-policy`. */
  BindType: v.string(),
  /** Variables of a templated policy. */
  BindVars: v.nullish(v.record(v.string(), v.unknown())),
});

const templatedPolicySchema = v.looseObject({
  TemplateName: v.string(),
  /** JSON Schema of the variables, as text. */
  Schema: text,
  /** The rules, with variables. */
  Template: text,
  Description: text,
});

export type AclPolicy = v.InferOutput<typeof policySchema>;
export type AclRole = v.InferOutput<typeof roleSchema>;
export type AclToken = v.InferOutput<typeof tokenSchema>;
export type AuthMethod = v.InferOutput<typeof authMethodSchema>;
export type BindingRule = v.InferOutput<typeof bindingRuleSchema>;

/** A token with its secret (docs/protocol/registry.md#acl-token). */
export const aclToken = checked(tokenSchema);
export const aclTokens = checkedList(tokenSchema);
export const aclPolicy = checked(policySchema);
export const aclPolicies = checkedList(policySchema);
export const aclRole = checked(roleSchema);
export const aclRoles = checkedList(roleSchema);
export const authMethod = checked(authMethodSchema);
export const authMethods = checkedList(authMethodSchema);
export const bindingRule = checked(bindingRuleSchema);
export const bindingRules = checkedList(bindingRuleSchema);
export const templatedPolicy = checked(templatedPolicySchema);
/** By name. */
export const templatedPolicies = checked(v.record(v.string(), templatedPolicySchema));

/** Whether the token of the request may do each of the things that were asked for, in their order. */
export const authorizations = checked(v.array(v.looseObject({ Allow: v.boolean() })));

/** How far a datacenter has followed its primary (docs/protocol/registry.md#acl-replication-status). */
export const replicationStatus = checked(
  v.looseObject({
    Enabled: v.boolean(),
    Running: v.boolean(),
    SourceDatacenter: text,
    ReplicationType: text,
    ReplicatedIndex: v.optional(v.number()),
    ReplicatedRoleIndex: v.optional(v.number()),
    ReplicatedTokenIndex: v.optional(v.number()),
    /** RFC 3339. */
    LastSuccess: text,
    /** RFC 3339. */
    LastError: text,
    LastErrorMessage: text,
  }),
);

/** The responding agent. */
export const agentPlace = checked(
  v.looseObject({ Config: v.looseObject({ Datacenter: v.string(), PrimaryDatacenter: text }) }),
);

/** The trust domain is the ID of the cluster and `.consul`; all datacenters of a federation have the same. */
export const caRoots = checked(v.looseObject({ TrustDomain: v.string() }));

export const authorizationUrl = checked(v.looseObject({ AuthURL: v.string() }));

/** Rules as text; no rules are an empty body. */
export const rulesText: Decoder<string> = (body) => {
  if (body !== undefined && typeof body !== 'string') throw new Error('the body: expected text');
  return body ?? '';
};
