import { generateKeyPairSync } from 'node:crypto';
import type { Identity } from '../../src/state/kind.ts';
import type { ObjectCase } from './objects.ts';

const named = (key: string): Identity => ({ scope: {}, key });
const inMethod = (authMethod: string, key = ''): Identity => ({ scope: { authMethod }, key });
const method = (type: string, path = `st-${type}`) => ({
  kind: 'secrets.auth-method',
  identity: named(`${path}/`),
  spec: { type },
});

/** A public key in PEM format, as files have it. */
export const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();

/** At least one object of every type of roles, and of configurations, that the embedded service has. */
export const secretsAuthObjectCases: readonly ObjectCase[] = [
  {
    kind: 'secrets.auth-config',
    identity: inMethod('st-jwt-config'),
    needs: [method('jwt', 'st-jwt-config')],
    spec: {
      type: 'jwt',
      jwt_validation_pubkeys: [publicKey],
      bound_issuer: 'https://issuer',
      default_role: 'ci',
    },
    changed: { type: 'jwt', jwt_validation_pubkeys: [publicKey], bound_issuer: '' },
    spellings: [
      { type: 'jwt', jwt_validation_pubkeys: publicKey.trim(), bound_issuer: 'https://issuer' },
      {
        type: 'jwt',
        jwt_validation_pubkeys: [`${publicKey}\n`, publicKey],
        default_role: 'CI',
        jwt_supported_algs: 'RS256',
        oidc_response_mode: 'query',
        namespace_in_state: true,
        oidc_discovery_url: '',
        provider_config: {},
      },
    ],
  },
  {
    kind: 'secrets.auth-role',
    identity: inMethod('st-approle', 'ci'),
    needs: [method('approle')],
    spec: {
      type: 'approle',
      token_policies: ['deploy', 'audit'],
      token_ttl: '20m',
      token_max_ttl: '1h',
      token_bound_cidrs: ['10.0.0.0/8', '192.168.1.1'],
      secret_id_ttl: '24h',
      secret_id_num_uses: 10,
      role_id: 'st-ci',
    },
    changed: {
      type: 'approle',
      token_policies: ['deploy'],
      token_ttl: 0,
      secret_id_num_uses: 0,
      token_bound_cidrs: [],
      role_id: 'st-ci-2',
    },
    spellings: [
      {
        type: 'approle',
        token_policies: 'audit, deploy',
        token_ttl: 1200,
        token_max_ttl: '3600',
        token_bound_cidrs: '192.168.1.1/32,10.0.0.0/8',
        secret_id_ttl: '1440m',
      },
      {
        type: 'approle',
        token_policies: ['audit', 'deploy', 'audit'],
        bind_secret_id: true,
        secret_id_bound_cidrs: null,
        local_secret_ids: false,
        token_type: 'default',
        token_period: '0s',
        token_no_default_policy: false,
        role_id: null,
      },
    ],
  },
  {
    kind: 'secrets.auth-role',
    identity: inMethod('st-userpass', 'alice'),
    needs: [method('userpass')],
    spec: {
      type: 'userpass',
      password: 'long-enough-password',
      token_policies: ['deploy'],
      token_num_uses: 3,
    },
    changed: { type: 'userpass', password: 'long-enough-password', token_type: 'batch', token_num_uses: 0 },
    spellings: [
      { type: 'userpass', token_policies: 'deploy', token_num_uses: '3' },
      { type: 'userpass', token_policies: ['deploy'], token_ttl: '0', token_strictly_bind_ip: false },
    ],
  },
  {
    kind: 'secrets.auth-role',
    identity: inMethod('st-jwt', 'deploy'),
    needs: [method('jwt')],
    spec: {
      type: 'jwt',
      user_claim: 'sub',
      bound_audiences: ['ci', 'cd'],
      bound_claims: { project: ['web', 'shop'], level: 3, ref: 'main' },
      claim_mappings: { project: 'project' },
      clock_skew_leeway: '30s',
      token_policies: ['deploy'],
    },
    changed: {
      type: 'jwt',
      user_claim: 'email',
      bound_audiences: [],
      bound_subject: 'app',
      bound_claims: { ref: 'main' },
      claim_mappings: {},
      clock_skew_leeway: 0,
    },
    spellings: [
      {
        type: 'jwt',
        role_type: 'jwt',
        user_claim: 'sub',
        bound_audiences: 'cd,ci',
        bound_claims: { ref: ['main'], level: [3], project: ['web', 'shop'] },
        clock_skew_leeway: 30,
      },
      {
        type: 'jwt',
        user_claim: 'sub',
        bound_claims_type: 'string',
        max_age: '0s',
        expiration_leeway: 150,
        not_before_leeway: null,
        callback_mode: 'client',
        oidc_scopes: '',
        groups_claim: '',
      },
    ],
  },
  {
    kind: 'secrets.token-role',
    identity: named('st-ci'),
    spec: {
      allowed_policies: ['deploy', 'audit'],
      disallowed_policies_glob: ['admin-*'],
      orphan: true,
      token_period: '24h',
      path_suffix: 'ci-jobs',
      token_bound_cidrs: ['10.0.0.0/8'],
    },
    changed: { allowed_policies: ['deploy'], renewable: false, token_period: 0, token_bound_cidrs: [] },
    spellings: [
      {
        allowed_policies: 'Audit,deploy',
        disallowed_policies_glob: 'ADMIN-*',
        orphan: true,
        token_period: 86_400,
      },
      {
        allowed_policies: ['deploy', 'audit', 'deploy'],
        renewable: true,
        token_type: 'default-service',
        token_num_uses: 0,
        token_explicit_max_ttl: '',
        allowed_entity_aliases: null,
      },
    ],
  },
];
