import type { RegistryClient } from '../../../api/registry.ts';
import type { BindingRule } from '../../../api/registry-acl.ts';
import { arg } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { flagsOf, givenFields } from '../../../command/object-flags.ts';
import { hintFor } from '../../../errors.ts';
import { registryBindingRule } from '../../../objects/registry-binding-rule.ts';
import { checkSelector } from './claims.ts';
import type { Fields } from './fields.ts';
import { describeMissing, isUuid } from './find.ts';
import { onlyMatch } from './find-token.ts';

export const ruleArg = arg.text('RULE', 'ID or unique prefix of the binding rule', {
  completes: 'acl-binding-rule',
});

export const bindFlags = flagsOf(registryBindingRule);

/** The fields that flags give. @throws LanyardError usage: an invalid selector */
export async function ruleFields(
  flags: Readonly<Record<string, unknown>>,
  { input }: Pick<Context, 'input'>,
): Promise<Fields> {
  const fields = givenFields(registryBindingRule, flags);
  if (fields.Selector) checkSelector(String(fields.Selector), await input.patterns());
  return fields;
}

/** @throws LanyardError not_found; usage: several rules begin so */
export async function findRule(registry: RegistryClient, given: string, where: object): Promise<BindingRule> {
  const ids = async () => ((await registry.listBindingRules(where)).body ?? []).map(({ ID }) => ID);
  const id = isUuid(given) ? given : onlyMatch(given, await ids(), 'binding-rule');
  const reading = registry.readBindingRule({ id, ...where });
  return (await reading.catch(describeMissing('binding-rule', given))).body;
}

/** Adds what to do to a rule that the service rejects; its message is a detail. */
export const describeRejectedRule = hintFor(
  ({ status, kind }) => status === 500 && kind !== 'not_found',
  'Nothing was written. Run `lanyard acl auth-method get METHOD` for the known claims.',
);
