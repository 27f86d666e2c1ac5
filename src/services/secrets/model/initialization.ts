import * as s from '../../core/schema/types.ts';

/** The parameters of `sys/init`. */
export const initialization = {
  secret_shares: s.integer('Number of key shares to generate.', { default: 5 }),
  secret_threshold: s.integer('Number of key shares required to unseal.', { default: 3 }),
  pgp_keys: s.list(s.string(), 'Must be empty: key shares are not encrypted.'),
  root_token_pgp_key: s.string('Must be empty: the root token is not encrypted.'),
  recovery_shares: s.integer('Must be 0: there are no recovery keys.'),
  recovery_threshold: s.integer('Must be 0: there are no recovery keys.'),
  recovery_pgp_keys: s.list(s.string(), 'Must be empty: there are no recovery keys.'),
};
