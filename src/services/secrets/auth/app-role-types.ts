import * as s from '../../core/schema/types.ts';
import { shownTokenParams } from './token-params.ts';

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
export const shownAppRole = s.named(
  'AppRole',
  s.object({
    bind_secret_id: s.boolean(),
    secret_id_num_uses: s.integer(),
    secret_id_ttl: s.integer('Seconds.'),
    secret_id_bound_cidrs: s.nullable(s.list(s.string())),
    local_secret_ids: s.boolean(),
    ...shownTokenParams,
  }),
);
