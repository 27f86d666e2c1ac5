import type { RegistryClient } from '../../../api/registry.ts';
import type { AuthMethod } from '../../../api/registry-acl.ts';
import type { InDatacenter } from '../../../api/registry-datacenter.ts';
import { arg, command } from '../../../command/command.ts';
import { confirmWrite, LanyardError, unlessNotFound, usage } from '../../../errors.ts';
import { isEqual } from '../../../output/diff.ts';
import { compact } from '../../../wire/objects.ts';
import { changedMethod, hideSecrets, methodFlags, readMethodFields } from '../lib/auth-method.ts';
import { areEqual, changedFields, type Fields, writableFields } from '../lib/fields.ts';
import { checkName, describeMissing, whereFrom, writeDcFlag } from '../lib/find.ts';
import { putResult } from '../lib/put-result.ts';

export default command({
  description:
    'Creates the auth method or updates the given fields; other fields are kept. --config replaces Config, and flags for its fields change it; "acl binding-rule create" then defines what a login gets. The registry has no check-and-set for auth methods: of two concurrent updates, the last one wins.',
  examples: [
    'lanyard acl auth-method put ci --type jwt --jwt-validation-pub-key @jwt.pem --bound-audience ci --claim-mapping project=project --max-token-ttl 1h',
    'lanyard acl auth-method put ci --description "CI jobs" --dry-run',
    'lanyard acl auth-method put minikube --in minikube.json',
  ],
  service: 'registry',
  writes: true,
  readsFirst: true,
  returnsList: () => true,
  args: { method: arg.text('METHOD', 'name of the auth method', { completes: { live: 'acl-auth-method' } }) },
  flags: { ...methodFlags, dc: writeDcFlag },
  async run({ args, flags }, ctx) {
    const { method: name } = args;
    checkName('auth-method', name);
    const where = whereFrom(flags);
    const given = await readMethodFields(flags, ctx);
    if (given.fields.Name !== undefined && given.fields.Name !== name)
      throw usage(`invalid auth method in ${flags.in}: its Name is not "${name}"`);
    const registry = await ctx.api.registry();
    const current = await unlessNotFound(readMethod(registry, name, where));
    const before = writableFields(current ?? {});
    // An immutable type is rejected by the service; a missing one is an error here.
    if (!current && given.fields.Type === undefined)
      throw usage(`--type is required: auth method "${name}" does not exist`);
    rejectHiddenSecret({ ...given.config, ...given.configChange });
    const after = changedFields({ Name: name, ...before }, changedMethod(before, given));
    const isWritten = !current || !isEqual(before, after);
    const written = isWritten ? await writeMethod(registry, current, after, where) : current;
    const { data, document } = putResult('auth method', { current, written, after }, ctx.output);
    const changes = hideSecrets(data.changes);
    return {
      data: { ...compact({ Name: data.Name, created: data.created }), changes },
      payload: changes,
      document,
    };
  },
});

const readMethod = (registry: RegistryClient, name: string, where: InDatacenter) =>
  registry.readAuthMethod({ name, ...where }).catch(describeMissing('auth-method', name));

/** The output of "acl auth-method get" has placeholders. */
function rejectHiddenSecret(config: Fields): void {
  const hidden = Object.keys(config).find(
    (name) => config[name] === '<redacted>' || config[name] === '<hidden>',
  );
  if (hidden === undefined) return;
  throw usage(`invalid Config: ${hidden} is redacted`, {
    hint: 'Remove the field from the file to keep the existing secret, or set it.',
  });
}

/** Creates or replaces a method. After a lost response it is read back. @returns what the service stored */
async function writeMethod(
  registry: RegistryClient,
  current: AuthMethod | undefined,
  fields: Fields,
  where: InDatacenter,
): Promise<AuthMethod | undefined> {
  const name = String(fields.Name);
  let found: AuthMethod | undefined;
  const response = await confirmWrite(
    () =>
      (current
        ? registry.updateAuthMethod({ ...fields, name, ...where })
        : registry.createAuthMethod({ ...fields, ...where })
      ).catch(describeRejected),
    async () => {
      found = (await readMethod(registry, name, where)).body;
      return { done: areEqual(found, fields), found: 'the stored auth method differs' };
    },
  );
  return response?.body ?? found;
}

/** The details of the service say what is wrong with the method. */
function describeRejected(error: unknown): never {
  if (!(error instanceof LanyardError) || error.status !== 500) throw error;
  throw error.withHint('Nothing was written. Correct the fields that the service registry names.');
}
