import {
  bad,
  type Document,
  dim,
  fields,
  good,
  type Span,
  strong,
  table,
  text,
} from '../../../output/document.ts';
import type { MergedRule } from './access.ts';
import type { Grant, Permissions } from './permissions.ts';
import type { Access, Rule } from './policy-rules.ts';
import { expirationText } from './views.ts';

const singular = (rule: Rule): boolean => rule.name === '' && !rule.isPrefix;

/** `app/config`, `app/*`, or `-` for a resource without a name. */
const patternOf = (rule: Rule): string =>
  singular(rule) ? '-' : rule.isPrefix ? `${rule.name}*` : rule.name;

const styledAccess = (access: Access): Span => (access === 'deny' ? bad(access) : good(access));

const grantRow = ({ kind, name, role, datacenters, isValid, rules }: Grant) => [
  kind,
  [strong(name)],
  role === undefined ? [dim('-')] : `role ${role}`,
  datacenters.join(', ') || 'all',
  rules === undefined ? [dim('unknown')] : isValid ? 'apply' : [dim('do not apply here')],
];

const ruleRow = (rule: MergedRule) => [
  rule.resource,
  [strong(patternOf(rule))],
  [styledAccess(rule.access)],
  rule.from.join(', '),
];

export const permissionsView = ({ token, grants, rules, defaultPolicy, gaps }: Permissions): Document => [
  fields([
    ['accessor', [strong(token.AccessorID)]],
    ['description', token.Description || [dim('-')]],
    ['expires', expirationText(token) ?? 'never'],
  ]),
  table(
    [
      'KIND',
      'NAME',
      { title: 'THROUGH', shrinkPriority: 1 },
      { title: 'DATACENTERS', shrinkPriority: 2 },
      'RULES',
    ],
    grants.map(grantRow),
    'No policies.',
  ),
  table(
    ['RESOURCE', 'NAME', 'ACCESS', { title: 'FROM', shrinkPriority: 1 }],
    rules.map(ruleRow),
    'No rules.',
  ),
  gaps.length > 0
    ? text('The rules are ', bad('incomplete'), ': not all policies could be read.')
    : text(
        'Everything else is ',
        defaultPolicy === 'allow' ? good('allowed') : bad('denied'),
        ' by the default policy.',
      ),
];

/** A decision as a sentence. */
export const reasonText = (rule: MergedRule | undefined, defaultPolicy: 'allow' | 'deny'): string =>
  rule === undefined
    ? `no rule applies, and the default policy is ${defaultPolicy}`
    : `${rule.resource}${rule.isPrefix ? '_prefix' : ''}${singular(rule) ? '' : ` "${rule.name}"`} is ${rule.access} in ${rule.from.join(', ')}`;
