import type { RegistryClient } from '../../../api/registry.ts';
import type { InDatacenter } from '../../../api/registry-datacenter.ts';
import { arg, command } from '../../../command/command.ts';
import { hintFor, unlessNotFound, usage } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';
import { changedMethod, hideSecrets, methodFlags, readMethodFields } from '../lib/auth-method.ts';
import { changedFields, type Fields, writableFields } from '../lib/fields.ts';
import { checkName, dcFlag, describeMissing, whereFrom } from '../lib/find.ts';
import { putResult, writeIfChanged } from '../lib/put-result.ts';

export default command({
  description:
    'Creates the auth method or updates the given fields; other fields are unchanged. --config replaces Config, and flags for its fields change it; "acl binding-rule create" then defines what a login gets. The registry has no check-and-set for auth methods: of two concurrent updates, the last one wins.',
  examples: [
    'lanyard acl auth-method put ci --type jwt --jwt-validation-pub-key @jwt.pem --bound-audience ci --claim-mapping project=project --max-token-ttl 1h',
    'lanyard acl auth-method put ci --description "CI jobs" --dry-run',
    'lanyard acl auth-method put minikube --in minikube.json',
  ],
  service: 'registry',
  writes: 'after reads',
  returnsList: () => true,
  args: { method: arg.text('METHOD', 'name of the auth method', { completes: 'acl-auth-method' }) },
  flags: { ...methodFlags, dc: dcFlag },
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
    const written = await writeIfChanged(
      'auth method',
      { current, after },
      () =>
        (current
          ? registry.updateAuthMethod({ ...after, name, ...where })
          : registry.createAuthMethod({ ...after, ...where })
        ).catch(describeRejected),
      async () => (await readMethod(registry, name, where)).body,
    );
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

/** The details of the service say what is wrong with the method. */
const describeRejected = hintFor(
  ({ status }) => status === 500,
  'Nothing was written. Correct the fields that the service registry names.',
);
