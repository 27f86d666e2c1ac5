import type { RegistryClient } from '../../../api/registry.ts';
import type { BindingRule } from '../../../api/registry-acl.ts';
import { arg, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { LanyardError } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';
import { checkSelector } from './claims.ts';
import type { Fields } from './fields.ts';
import { describeMissing, isUuid } from './find.ts';
import { onlyMatch } from './find-token.ts';

export const ruleArg = arg.text('RULE', 'ID of the binding rule, or a unique prefix', {
  completes: { live: 'acl-binding-rule' },
});

export const bindTypes = ['service', 'node', 'role', 'policy', 'templated-policy'] as const;

export const bindFlags = {
  bindType: flag.choice(bindTypes, 'what a login gets'),
  bindName: flag.name('NAME', `its name, which may contain \${value.NAME}`),
  bindVar: flag.map('K=V', `templated-policy: variable, which may contain \${value.NAME}; repeatable`),
  selector: flag.text('EXPR', 'selector of logins, such as value.project == web (default all)'),
  description: flag.text('TEXT', 'description'),
} as const;

interface Bind {
  readonly bindType: string | undefined;
  readonly bindName: string | undefined;
  readonly bindVar: Readonly<Record<string, string>> | undefined;
  readonly selector: string | undefined;
  readonly description: string | undefined;
}

/** The fields that flags give. @throws LanyardError usage: an invalid selector */
export async function ruleFields(flags: Bind, { input }: Pick<Context, 'input'>): Promise<Fields> {
  if (flags.selector) checkSelector(flags.selector, await input.patterns());
  return compact({
    Description: flags.description,
    BindType: flags.bindType,
    BindName: flags.bindName,
    BindVars: flags.bindVar && { ...flags.bindVar },
    Selector: flags.selector,
  });
}

/** @throws LanyardError not_found; usage: several rules begin so */
export async function findRule(registry: RegistryClient, given: string, where: object): Promise<BindingRule> {
  const id = isUuid(given) ? given : await resolveRule(registry, given, where);
  return (await registry.readBindingRule({ id, ...where }).catch(describeMissing('binding-rule', given)))
    .body;
}

async function resolveRule(registry: RegistryClient, given: string, where: object): Promise<string> {
  const { body } = await registry.listBindingRules(where);
  return onlyMatch(
    given,
    (body ?? []).map(({ ID }) => ID),
    'binding-rule',
  );
}

/** Adds what to do to a rule that the service rejects; its message is a detail. */
export function describeRejectedRule(error: unknown): never {
  if (!(error instanceof LanyardError) || error.status !== 500 || error.kind === 'not_found') throw error;
  throw error.withHint('Nothing was written. Run `lanyard acl auth-method get METHOD` for the known claims.');
}
