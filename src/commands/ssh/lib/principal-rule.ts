import {
  dependsOnToken,
  isOpenBaoRole,
  isTemplate,
  items,
  type Judgement,
  kindOf,
  type Question,
  type Role,
  type Rule,
  rejection,
  text,
} from './role-question.ts';

/** OpenSSH rejects certificates with more; OpenBao signs them. */
const maxPrincipals = 256;
const rule = 'valid_principals';

/** The principals of the certificate, and whether they are the default of the role. */
export function principalsOf(question: Question): {
  readonly names: readonly string[];
  readonly byDefault: boolean;
} {
  const { role, request } = question;
  const requested = items(request.valid_principals);
  // OpenBao signs an empty list as such; others use the default.
  const isGiven = requested.length > 0 || (isOpenBaoRole(role) && request.valid_principals !== undefined);
  if (isGiven || kindOf(question) !== 'user') return { names: requested, byDefault: false };
  return { names: items(role.default_user), byDefault: true };
}

/** Whether the role allows the principals of a request, or none. */
export const principals: Rule = (question) => {
  const { role } = question;
  const { names, byDefault } = principalsOf(question);
  const { member, allowed, hasTemplates } = allowedBy(question);
  const listed = items(allowed);
  // OpenBao compares the text of the role.
  const allowsAny = isOpenBaoRole(role) ? allowed === '*' : listed.join() === '*';
  if (names.length === 0) {
    if (role.allow_empty_principals === true || (isOpenBaoRole(role) && allowsAny))
      return templatesOf(question);
    return rejection(rule, 'no principal was requested, and the role has no default', 'Add --principals.');
  }
  if (names.length > maxPrincipals && !isOpenBaoRole(role)) {
    const why = `${names.length} principals exceed the limit of ${maxPrincipals}`;
    return rejection(rule, why, 'Request fewer principals.');
  }
  if (listed.length === 0)
    return rejection(rule, `the role allows no principal: ${member} is empty`, `Set ${member} in the role.`);
  const literal = listed.filter((item) => !(hasTemplates && isTemplate(item)));
  const verdict = (name: string): 'yes' | 'no' | 'depends' => {
    if (byDefault && role.default_user_template === true && isTemplate(name)) return 'depends';
    if (allowsAny || literal.some((item) => covers(question, item, name))) return 'yes';
    return literal.length < listed.length ? 'depends' : 'no';
  };
  const rejected = names.filter((name) => verdict(name) === 'no');
  const open = names.filter((name) => verdict(name) === 'depends');
  const from = byDefault ? ' (default_user of the role)' : '';
  if (rejected.length > 0) {
    const remedy = `The role allows: ${listed.join(', ')}${hostForms(question)}.`;
    return rejection(rule, `${rejected.join(', ')}${from} is not allowed`, remedy);
  }
  if (open.length === 0) return templatesOf(question);
  return dependsOnToken(
    rule,
    `whether ${open.join(', ')}${from} is allowed depends on the identity of the token`,
  );
};

function allowedBy(question: Question) {
  const member = kindOf(question) === 'user' ? 'allowed_users' : 'allowed_domains';
  return {
    member,
    allowed: text(question.role[member]),
    hasTemplates: question.role[`${member}_template`] === true,
  };
}

/** OpenBao fills in every template of a role first, and rejects the request if one has no value. */
function templatesOf(question: Question): Judgement | undefined {
  const { role } = question;
  const { member, allowed, hasTemplates } = allowedBy(question);
  const isDefault = kindOf(question) === 'user' && role.default_user_template === true;
  const open = [
    ...(isDefault && isTemplate(role.default_user) ? ['default_user'] : []),
    ...(hasTemplates && isTemplate(allowed) ? [member] : []),
  ];
  if (!isOpenBaoRole(role) || open.length === 0) return undefined;
  const why = `the template in ${open.join(' and ')} needs a value of the identity of the token`;
  return dependsOnToken(rule, why);
}

const covers = (question: Question, item: string, name: string): boolean =>
  kindOf(question) === 'user' ? item === name : coversDomain(question.role, item, name);

const coversDomain = (role: Role, domain: string, name: string): boolean =>
  name === domain
    ? role.allow_bare_domains === true
    : role.allow_subdomains === true &&
      name.endsWith(`.${domain}`) &&
      (name !== `.${domain}` || isOpenBaoRole(role));

const hostForms = (question: Question): string => {
  if (kindOf(question) === 'user') return '';
  const { allow_bare_domains: bare, allow_subdomains: below } = question.role;
  if (bare === true && below === true) return ' and their subdomains';
  if (below === true) return ', only their subdomains';
  return bare === true
    ? ', without subdomains'
    : ', but neither the domains (allow_bare_domains) nor their subdomains (allow_subdomains)';
};
