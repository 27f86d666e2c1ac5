import type { Grants } from '../model/acl.ts';
import type { Rule } from './rules.ts';
import { type PolicyTemplateUse, templateRules } from './templates.ts';

type TemplateGrants = Pick<Grants, 'ServiceIdentities' | 'NodeIdentities' | 'TemplatedPolicies'>;

/** The uses of policy templates in grants: identities are uses of the templates for services and nodes. */
export function templateUses({
  ServiceIdentities = [],
  NodeIdentities = [],
  TemplatedPolicies = [],
}: TemplateGrants): PolicyTemplateUse[] {
  return [
    ...ServiceIdentities.map(({ ServiceName, Datacenters }) => ({
      TemplateName: 'builtin/service',
      TemplateVariables: { name: ServiceName },
      ...(Datacenters && { Datacenters }),
    })),
    ...NodeIdentities.map(({ NodeName, Datacenter }) => ({
      TemplateName: 'builtin/node',
      TemplateVariables: { name: NodeName },
      Datacenters: [Datacenter],
    })),
    ...TemplatedPolicies,
  ];
}

/** The rules of identities and templated policies in a datacenter. */
export function identityRules(grants: TemplateGrants, datacenter: string): Rule[] {
  return templateUses(grants)
    .filter((use) => appliesIn(use, datacenter))
    .flatMap(templateRules);
}

/** Whether a policy, identity or templated policy applies in a datacenter. */
export function appliesIn(
  { Datacenters = [] }: { readonly Datacenters?: readonly string[] | undefined },
  datacenter: string,
): boolean {
  return Datacenters.length === 0 || Datacenters.includes(datacenter);
}
