import { secretsAuthMethod as schema } from '../../objects/mount.ts';
import { mountKind } from '../mount-kind.ts';

/** An auth method, without the configuration of its type (docs/protocol/secrets.md#mounts). */
export const secretsAuthMethod = mountKind({
  name: 'secrets.auth-method',
  noun: 'auth method',
  schema,
  builtIn: { paths: ['token/'], types: ['token', 'ns_token'] },
  operations: (secrets) => ({
    list: secrets.listAuthMethods,
    read: secrets.readAuthMethod,
    enable: secrets.enableAuthMethod,
    tune: secrets.tuneAuthMethod,
    disable: secrets.disableAuthMethod,
  }),
});
