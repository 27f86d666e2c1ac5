import type { AuthMethod, BindingRule, TemplatedPolicy } from '../../../api/registry-acl.ts';
import { formatValue } from '../../../output/diff.ts';
import { type Document, dim, fields, listTable, raw, strong } from '../../../output/document.ts';

export const methodsView = (methods: readonly AuthMethod[]): Document => [
  listTable(methods, 'No auth methods.', {
    NAME: ({ Name }) => strong(Name),
    TYPE: ({ Type }) => Type,
    TOKENS: { optional: 2, cell: ({ TokenLocality }) => TokenLocality || 'local' },
    'MAX TTL': { optional: 1, cell: ({ MaxTokenTTL }) => MaxTokenTTL || null },
    DESCRIPTION: { shrinkPriority: 1, cell: ({ Description }) => Description || null },
  }),
];

export const methodView = (method: AuthMethod): Document => [
  fields([
    ['name', strong(method.Name)],
    ['type', method.Type],
    ['display name', method.DisplayName || undefined],
    ['description', method.Description || null],
    ['tokens', method.TokenLocality || 'local'],
    ['max TTL', method.MaxTokenTTL || 'unlimited'],
    ...Object.entries(method.Config ?? {}).map(
      ([name, value]) => [name, typeof value === 'string' ? value : formatValue(value)] as const,
    ),
  ]),
];

export const bindText = ({ BindType, BindName = '', BindVars }: BindingRule): string => {
  const variables = Object.entries(BindVars ?? {}).map(([name, value]) => `${name}=${value}`);
  return [BindType, BindName, ...variables].filter((part) => part !== '').join(' ');
};

export const bindingRulesView = (rules: readonly BindingRule[]): Document => [
  listTable(rules, 'No binding rules.', {
    METHOD: ({ AuthMethod }) => strong(AuthMethod),
    BINDS: { shrinkPriority: 1, cell: bindText },
    SELECTOR: { shrinkPriority: 2, cell: ({ Selector }) => Selector || dim('(all)') },
    DESCRIPTION: { shrinkPriority: 3, cell: ({ Description }) => Description || null },
    ID: ({ ID }) => ID,
  }),
];

export const bindingRuleView = (rule: BindingRule): Document => [
  fields([
    ['ID', strong(rule.ID)],
    ['auth method', rule.AuthMethod],
    ['binds', bindText(rule)],
    ['selector', rule.Selector || dim('(all)')],
    ['description', rule.Description || null],
  ]),
];

export const templatedPoliciesView = (policies: readonly TemplatedPolicy[]): Document => [
  listTable(policies, 'No templated policies.', {
    NAME: ({ TemplateName }) => strong(TemplateName),
    VARIABLES: ({ Schema }) => (Schema ? 'name' : null),
    DESCRIPTION: { shrinkPriority: 1, cell: ({ Description }) => Description || null },
  }),
];

export const templatedPolicyView = (policy: TemplatedPolicy): Document => [
  fields([
    ['name', strong(policy.TemplateName)],
    ['description', policy.Description || null],
    ['variables', policy.Schema ? 'name' : null],
  ]),
  raw(`\n${(policy.Template ?? '').trim()}\n`),
];
