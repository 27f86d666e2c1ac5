import type { AuthMethod, BindingRule, TemplatedPolicy } from '../../../api/registry-acl.ts';
import { formatValue } from '../../../output/diff.ts';
import { type Document, dim, fields, raw, type StyledText, strong, table } from '../../../output/document.ts';

export const methodsView = (methods: readonly AuthMethod[]): Document => [
  table(
    [
      'NAME',
      'TYPE',
      { title: 'TOKENS', optional: 2 },
      { title: 'MAX TTL', optional: 1 },
      { title: 'DESCRIPTION', shrinkPriority: 1 },
    ],
    methods.map(({ Name, Type, TokenLocality, MaxTokenTTL, Description }) => [
      [strong(Name)],
      Type,
      TokenLocality || 'local',
      MaxTokenTTL || [dim('-')],
      Description || [dim('-')],
    ]),
    'No auth methods.',
  ),
];

export const methodView = (method: AuthMethod): Document => [
  fields([
    ['name', [strong(method.Name)]],
    ['type', method.Type],
    ...(method.DisplayName ? [['display name', method.DisplayName] as const] : []),
    ['description', method.Description || [dim('-')]],
    ['tokens', method.TokenLocality || 'local'],
    ['max TTL', method.MaxTokenTTL || 'unlimited'],
    ...Object.entries(method.Config ?? {}).map(([name, value]): [string, StyledText] => [
      name,
      typeof value === 'string' ? value : formatValue(value),
    ]),
  ]),
];

export const bindText = ({ BindType, BindName = '', BindVars }: BindingRule): string => {
  const variables = Object.entries(BindVars ?? {}).map(([name, value]) => `${name}=${value}`);
  return [BindType, BindName, ...variables].filter((part) => part !== '').join(' ');
};

export const bindingRulesView = (rules: readonly BindingRule[]): Document => [
  table(
    [
      'METHOD',
      { title: 'BINDS', shrinkPriority: 1 },
      { title: 'SELECTOR', shrinkPriority: 2 },
      { title: 'DESCRIPTION', shrinkPriority: 3 },
      'ID',
    ],
    rules.map((rule) => [
      [strong(rule.AuthMethod)],
      bindText(rule),
      rule.Selector || [dim('(all)')],
      rule.Description || [dim('-')],
      rule.ID,
    ]),
    'No binding rules.',
  ),
];

export const bindingRuleView = (rule: BindingRule): Document => [
  fields([
    ['ID', [strong(rule.ID)]],
    ['auth method', rule.AuthMethod],
    ['binds', bindText(rule)],
    ['selector', rule.Selector || [dim('(all)')]],
    ['description', rule.Description || [dim('-')]],
  ]),
];

export const templatedPoliciesView = (policies: readonly TemplatedPolicy[]): Document => [
  table(
    ['NAME', 'VARIABLES', { title: 'DESCRIPTION', shrinkPriority: 1 }],
    policies.map((policy) => [
      [strong(policy.TemplateName)],
      policy.Schema ? 'name' : [dim('-')],
      policy.Description || [dim('-')],
    ]),
    'No templated policies.',
  ),
];

export const templatedPolicyView = (policy: TemplatedPolicy): Document => [
  fields([
    ['name', [strong(policy.TemplateName)]],
    ['description', policy.Description || [dim('-')]],
    ['variables', policy.Schema ? 'name' : [dim('-')]],
  ]),
  raw(`\n${(policy.Template ?? '').trim()}\n`),
];
