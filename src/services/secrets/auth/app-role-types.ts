import * as s from '../../core/schema/types.ts';
import { olderTokenFields, shownTokenParams, tokenParamFields } from './token-params.ts';

/** A secret ID when it is made; and in lookups, and a role, in responses. */
export const newSecretId = s.named(
  'NewSecretId',
  s.object({
    secret_id: s.string(),
    secret_id_accessor: s.string(),
    secret_id_num_uses: s.integer(),
    secret_id_ttl: s.integer('Seconds.'),
  }),
);
export const shownSecretId = s.named(
  'SecretId',
  s.object({
    secret_id_accessor: s.string(),
    secret_id_num_uses: s.integer(),
    secret_id_ttl: s.integer('Seconds.'),
    creation_time: s.string('RFC 3339.'),
    expiration_time: s.string('RFC 3339; the year 1: never.'),
    last_updated_time: s.string('RFC 3339.'),
    cidr_list: s.list(s.string()),
    token_bound_cidrs: s.list(s.string()),
    metadata: s.map(s.string()),
  }),
);

const roleSettings = {
  bind_secret_id: s.boolean('Whether a login requires a secret ID (default true).'),
  secret_id_num_uses: s.integer('Number of uses of a secret ID; 0: unlimited.'),
  secret_id_ttl: s.duration('Time to live of a secret ID; 0: unlimited.'),
  secret_id_bound_cidrs: s.list(s.string(), 'CIDR blocks that may log in.'),
};
export const appRoleFields = {
  ...s.partial({
    ...roleSettings,
    bound_cidr_list: s.list(s.string(), 'The older name of `secret_id_bound_cidrs`.'),
    role_id: s.string('The role ID (default: generated).'),
  }),
  ...tokenParamFields,
  policies: olderTokenFields.policies,
  period: olderTokenFields.period,
};
export const shownAppRole = s.named(
  'AppRole',
  s.object({
    ...roleSettings,
    secret_id_bound_cidrs: s.nullable(roleSettings.secret_id_bound_cidrs),
    local_secret_ids: s.boolean(),
    ...shownTokenParams,
  }),
);
