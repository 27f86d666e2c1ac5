import * as v from 'valibot';
import { checked } from './decode.ts';
import type { Decoder } from './operation.ts';

const text = v.optional(v.string());

/** Policies and roles that a token has, by ID and name. */
const links = v.nullish(v.array(v.looseObject({ Name: text, ID: text })));

/** A token with its secret (docs/protocol/registry.md#acl-token). */
export const aclToken = checked(
  v.looseObject({
    AccessorID: v.string(),
    SecretID: v.string(),
    Description: text,
    Policies: links,
    Roles: links,
    ServiceIdentities: v.nullish(v.array(v.looseObject({ ServiceName: v.string() }))),
    Local: v.optional(v.boolean()),
    AuthMethod: text,
    CreateTime: text,
    ExpirationTime: text,
  }),
);

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
