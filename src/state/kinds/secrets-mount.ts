import { secretsEngine } from '../../objects/mount.ts';
import { mountKind } from '../mount-kind.ts';

/** A secrets engine (docs/protocol/secrets.md#mounts). */
export const secretsMount = mountKind({
  name: 'secrets.mount',
  noun: 'secrets engine',
  schema: secretsEngine,
  builtIn: {
    paths: ['sys/', 'identity/', 'cubbyhole/'],
    types: ['system', 'identity', 'cubbyhole', 'ns_system', 'ns_identity', 'ns_cubbyhole'],
  },
  operations: (secrets) => ({
    list: secrets.listEngines,
    read: secrets.readEngine,
    enable: secrets.enableEngine,
    tune: secrets.tuneEngine,
    disable: secrets.disableEngine,
  }),
});
