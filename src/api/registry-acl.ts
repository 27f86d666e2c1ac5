import * as v from 'valibot';
import { checked } from './decode.ts';
import type { Decoder } from './operation.ts';

const text = v.optional(v.string());
const texts = v.nullish(v.array(v.string()));
const index = v.optional(v.union([v.number(), v.bigint()]));

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
  ID: v.string(),
  Name: v.string(),
  Description: text,
  Rules: text,
  Datacenters: texts,
  ModifyIndex: index,
});

const roleSchema = v.looseObject({
  ID: v.string(),
  Name: v.string(),
  Description: text,
  Policies: links,
  ...identities,
  ModifyIndex: index,
});

const tokenSchema = v.looseObject({
  AccessorID: v.string(),
  SecretID: v.string(),
  Description: text,
  Policies: links,
  Roles: links,
  ...identities,
  Local: v.optional(v.boolean()),
  AuthMethod: text,
  CreateTime: text,
  ExpirationTime: text,
  ModifyIndex: index,
  /** Of a read with `expanded`: every policy, also of roles, identities and templates. */
  ExpandedPolicies: v.nullish(v.array(policySchema)),
  ExpandedRoles: v.nullish(v.array(roleSchema)),
  AgentACLDefaultPolicy: text,
});

const authMethodSchema = v.looseObject({
  Name: v.string(),
  Type: v.string(),
  DisplayName: text,
  Description: text,
  MaxTokenTTL: text,
  TokenLocality: text,
  Config: v.nullish(v.record(v.string(), v.unknown())),
  CreateIndex: index,
  ModifyIndex: index,
});

const bindingRuleSchema = v.looseObject({
  ID: v.string(),
  AuthMethod: v.string(),
  Description: text,
  Selector: text,
  BindType: v.string(),
  BindName: text,
  BindVars: v.nullish(v.record(v.string(), v.unknown())),
  ModifyIndex: index,
});

const templatedPolicySchema = v.looseObject({
  TemplateName: v.string(),
  Schema: text,
  Template: text,
  Description: text,
});

export type AclPolicy = v.InferOutput<typeof policySchema>;
export type AclRole = v.InferOutput<typeof roleSchema>;
export type AclToken = v.InferOutput<typeof tokenSchema>;
export type AuthMethod = v.InferOutput<typeof authMethodSchema>;
export type BindingRule = v.InferOutput<typeof bindingRuleSchema>;
export type TemplatedPolicy = v.InferOutput<typeof templatedPolicySchema>;

/** A token with its secret (docs/protocol/registry.md#acl-token). */
export const aclToken = checked(tokenSchema);
export const aclTokens = checked(v.nullable(v.array(tokenSchema)));
export const aclPolicy = checked(policySchema);
export const aclPolicies = checked(v.nullable(v.array(policySchema)));
export const aclRole = checked(roleSchema);
export const aclRoles = checked(v.nullable(v.array(roleSchema)));
export const authMethod = checked(authMethodSchema);
export const authMethods = checked(v.nullable(v.array(authMethodSchema)));
export const bindingRule = checked(bindingRuleSchema);
export const bindingRules = checked(v.nullable(v.array(bindingRuleSchema)));
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
    LastSuccess: text,
    LastError: text,
    LastErrorMessage: text,
  }),
);

/** The responding agent. */
export const agentPlace = checked(
  v.looseObject({ Config: v.looseObject({ Datacenter: v.string(), PrimaryDatacenter: text }) }),
);

export const authorizationUrl = checked(v.looseObject({ AuthURL: v.string() }));

/** Rules as text; those of no rules are an empty body. */
export const rulesText: Decoder<string> = (body) => {
  if (body !== undefined && typeof body !== 'string') throw new Error('the body: expected text');
  return body ?? '';
};
