import type { BindingRule } from '../../../api/registry-acl.ts';
import { type Document, dim, fields, strong } from '../../../output/document.ts';

export const bindText = ({ BindType, BindName = '', BindVars }: BindingRule): string => {
  const variables = Object.entries(BindVars ?? {}).map(([name, value]) => `${name}=${value}`);
  return [BindType, BindName, ...variables].filter((part) => part !== '').join(' ');
};

export const bindingRuleView = (rule: BindingRule): Document => [
  fields([
    ['ID', strong(rule.ID)],
    ['auth method', rule.AuthMethod],
    ['binds', bindText(rule)],
    ['selector', rule.Selector || dim('(all)')],
    ['description', rule.Description || null],
  ]),
];
