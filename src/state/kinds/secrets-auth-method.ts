import { field } from '../../objects/schema.ts';
import { mountKind, mountSchema } from '../mount-kind.ts';

/** An auth method, without the configuration of its type (docs/protocol/secrets.md#mounts). */
export const secretsAuthMethod = mountKind({
  name: 'secrets.auth-method',
  noun: 'auth method',
  schema: mountSchema({
    token_type: field.choice(['default-service', 'default-batch', 'service', 'batch'], {
      default: 'default-service',
      description: 'Type of the tokens of its logins.',
    }),
  }),
  builtIn: { paths: ['token/'], types: ['token', 'ns_token'] },
  operations: (secrets) => ({
    list: secrets.listAuthMethods,
    read: secrets.readAuthMethod,
    enable: secrets.enableAuthMethod,
    tune: secrets.tuneAuthMethod,
    disable: secrets.disableAuthMethod,
  }),
});
