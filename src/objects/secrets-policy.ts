import { type FieldsOf, field } from './schema.ts';

/** A policy of the secrets service (docs/protocol/secrets.md#policies). */
export const secretsPolicy = field.object(
  {
    policy: field.lines({ description: 'Rules in HCL or JSON.' }),
    cas_required: field.boolean({ description: 'OpenBao: writes must name the version they replace.' }),
    expiration: field.string({ description: 'OpenBao: when the policy expires (RFC 3339).' }),
    allow_wildcards_in_identity_templates: field.boolean({ description: 'OpenBao.' }),
    allow_slashes_in_identity_templates: field.boolean({ description: 'OpenBao.' }),
  },
  { required: ['policy'] },
);

/** The fields of a policy on write: absent fields are reset. All but the text require OpenBao. */
export type SecretsPolicyFields = FieldsOf<typeof secretsPolicy>;
