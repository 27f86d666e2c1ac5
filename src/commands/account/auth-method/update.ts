import type { AccountsClient, AuthMethod } from '../../../api/accounts.ts';
import { command, flag } from '../../../command/command.ts';
import { unsetFlagFor } from '../../../command/object-flags.ts';
import { usage } from '../../../errors.ts';
import { accountAuthMethod } from '../../../objects/account-auth-method.ts';
import { describeTakenName } from '../lib/access/create-named.ts';
import { findMethodId, methodArg, methodOf, versioned } from '../lib/access/find-named.ts';
import { atFlag, nameScopeFlag, updateResult } from '../lib/access/label-update.ts';
import { changeInSteps, type Step } from '../lib/access/steps.ts';
import { accountTypeOfId } from '../lib/account-types.ts';
import {
  checkMethodFlags,
  hasMethodFields,
  hasSecret,
  type MethodFields,
  methodChanges,
  methodFlags,
  readMethodFields,
  requireMethodFields,
} from '../lib/method-fields.ts';
import { expectVersion, readCurrent } from '../lib/versioned.ts';

export default command({
  description:
    'Changes only the given fields; a repeatable flag replaces all values of its field. The auth method must still have the version that is read first, or the version of --at. The state of type oidc is changed by a request of its own, after the other fields: to become active, the service must reach the issuer.',
  examples: [
    'lanyard account auth-method update password --min-password-length 12',
    'lanyard account auth-method update password --unset min-password-length',
    'lanyard account auth-method update directory --state active-public --bind-dn cn=search --bind-password @bind-password.txt',
    'lanyard account auth-method update amoidc_1234567890 --state active-public',
  ],
  service: 'accounts',
  writes: 'after reads',
  args: { method: methodArg },
  flags: {
    ...methodFlags,
    unset: unsetFlagFor(accountAuthMethod),
    disableDiscoveredConfigValidation: flag.boolean(
      'oidc: do not compare the settings with the configuration that the issuer publishes',
    ),
    scope: nameScopeFlag('method'),
    at: atFlag('auth method'),
  },
  async run({ args, flags }, ctx) {
    requireMethodFields(flags);
    const id = await findMethodId(args.method, flags, ctx);
    const type = accountTypeOfId(id);
    if (type !== undefined) checkMethodFlags(type, flags);
    const options = flags.disableDiscoveredConfigValidation
      ? { disable_discovered_config_validation: true }
      : {};
    if (type !== 'oidc' && flags.disableDiscoveredConfigValidation)
      throw usage(
        `--disable-discovered-config-validation is not supported by auth methods of type ${type ?? 'unknown'}`,
        { hint: 'It applies to auth methods of type oidc.' },
      );
    const fields = await readMethodFields(type, flags, ctx);
    const accounts = await ctx.api.accounts();
    const base = expectVersion(await readCurrent(methodOf(accounts, id)), flags.at);
    const { current, isStale } = base;
    const steps: Step<typeof current>[] = [];
    if (hasFields(fields) && (isStale || hasSecret(fields) || !hasMethodFields(current, fields)))
      steps.push(fieldsStep(accounts, fields, options));
    const { state } = fields;
    if (state !== undefined && (isStale || stateOf(current) !== state))
      steps.push(stateStep(accounts, state, options));
    const after = await changeInSteps(ctx, base, steps);
    return updateResult('auth method', after, methodChanges(current, after, fields));
  },
});

/** What a request of type oidc may have besides its fields. */
type Options = Readonly<Record<string, boolean>>;
type MethodStep = Step<AuthMethod & { readonly version: number }>;

const hasFields = ({ labels, attributes }: MethodFields): boolean =>
  Object.keys(labels).length + Object.keys(attributes).length > 0;

const stateOf = ({ attributes }: AuthMethod): unknown => attributes?.state ?? 'inactive';

function fieldsStep(accounts: AccountsClient, fields: MethodFields, options: Options): MethodStep {
  const attributes = { ...fields.attributes, ...options };
  return {
    write: (guard) =>
      accounts
        .updateAuthMethod({
          ...guard,
          ...fields.labels,
          ...(Object.keys(attributes).length > 0 && { attributes }),
        })
        .catch(describeTakenName('auth method', fields.labels.name ?? undefined))
        .then(versioned),
    isWritten: (now) => hasMethodFields(now, fields),
    done: 'Updated the fields of the auth method.',
  };
}

const stateStep = (accounts: AccountsClient, state: string, options: Options): MethodStep => ({
  write: (guard) =>
    accounts.changeAuthMethodState({ ...guard, attributes: { state, ...options } }).then(versioned),
  isWritten: (now) => stateOf(now) === state,
  done: 'Changed the state of the auth method.',
});
