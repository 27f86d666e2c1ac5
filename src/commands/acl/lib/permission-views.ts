import {
  bad,
  type Document,
  dim,
  fields,
  good,
  listTable,
  type Span,
  type StyledText,
  strong,
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

const rulesText = ({ isValid, rules }: Grant): StyledText =>
  rules === undefined ? dim('unknown') : isValid ? 'apply' : dim('do not apply here');

export const permissionsView = ({ token, grants, rules, defaultPolicy, gaps }: Permissions): Document => [
  fields([
    ['accessor', strong(token.AccessorID)],
    ['description', token.Description || null],
    ['expires', expirationText(token) ?? 'never'],
  ]),
  listTable(grants, 'No policies.', {
    KIND: ({ kind }) => kind,
    NAME: ({ name }) => strong(name),
    THROUGH: { shrinkPriority: 1, cell: ({ role }) => (role === undefined ? null : `role ${role}`) },
    DATACENTERS: { shrinkPriority: 2, cell: ({ datacenters }) => datacenters.join(', ') || 'all' },
    RULES: rulesText,
  }),
  listTable(rules, 'No rules.', {
    RESOURCE: ({ resource }) => resource,
    NAME: (rule) => strong(patternOf(rule)),
    ACCESS: ({ access }) => styledAccess(access),
    FROM: { shrinkPriority: 1, cell: ({ from }) => from.join(', ') },
  }),
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
