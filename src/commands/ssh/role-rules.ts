import type { PublicKeyInfo } from '../../ssh/ssh.ts';
import { formatDuration, parseDuration } from '../../wire/duration.ts';
import type { SshSignBody } from '../../wire/secrets.ts';

/** A role as the service gives it. */
export type Role = Readonly<Record<string, unknown>>;

/** What is asked of a role, and with what. */
export interface Question {
  readonly role: Role;
  readonly request: Omit<SshSignBody, 'public_key'>;
  /** Undefined: it is not at hand. */
  readonly key: PublicKeyInfo | undefined;
  /** The CA's key; undefined: there is no CA. */
  readonly ca: PublicKeyInfo | undefined;
  /** The lifetimes of the mount, which hold where the role has none; undefined: they cannot be read. */
  readonly mount: MountLifetimes | undefined;
}

/** Seconds; 0: as the service has them. */
export interface MountLifetimes {
  readonly byDefault: number;
  readonly longest: number;
}

/** What one rule of a role says to a request. */
export interface Judgement {
  readonly rule: string;
  /** `depends`: on what only the service knows, the identity of the token. */
  readonly verdict: 'no' | 'depends';
  readonly why: string;
  /** What would make it a yes. */
  readonly remedy: string;
}

const systemLongest = 768 * 3600;
const mostPrincipals = 256;

const text = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : '';
const items = (value: unknown): string[] => [
  ...new Set(
    text(value)
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ),
];
const map = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
const seconds = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? (parseDuration(value) ?? 0) : 0;
const isTemplate = (name: string): boolean => name.includes('{{identity.');

const kindOf = ({ request }: Question): string => request.cert_type ?? 'user';

/** The names that the certificate would be for. */
function principalsOf(question: Question): {
  readonly names: readonly string[];
  readonly byDefault: boolean;
} {
  const asked = items(question.request.valid_principals);
  if (asked.length > 0 || kindOf(question) !== 'user') return { names: asked, byDefault: false };
  return { names: items(question.role.default_user), byDefault: true };
}

const longest = ({ role, mount }: Question): number =>
  seconds(role.max_ttl) || mount?.longest || systemLongest;

/** Does a lifetime of the mount count: has the role none of its own? */
export const usesMountLifetimes = (role: Role): boolean => !seconds(role.max_ttl) || !seconds(role.ttl);

/**
 * What stands between a request and a certificate, in the order in which a service looks
 * (docs/protocol/ssh.md#sign-an-ssh-key); none: the role would sign it.
 */
export const judge = (question: Question): Judgement[] =>
  question.role.key_type === 'otp' ? [signsNothing] : rules.flatMap((rule) => rule(question) ?? []);

const signsNothing: Judgement = {
  ...{ rule: 'key_type', verdict: 'no', why: 'the role is of type otp, and signs nothing' },
  remedy: 'It gives one-time passwords: "lanyard ssh creds".',
};

/** The certificate that a role would sign, as far as the request and the role say it. */
export function outcome(question: Question) {
  const { role, request, mount } = question;
  const byDefault = seconds(role.ttl) || mount?.byDefault || systemLongest;
  const ttl = seconds(request.ttl) || Math.min(byDefault, longest(question));
  return {
    kind: kindOf(question),
    principals: principalsOf(question).names,
    ttl: formatDuration(ttl),
    criticalOptions: request.critical_options ?? map(role.default_critical_options),
    extensions: request.extensions ?? map(role.default_extensions),
  };
}

/**
 * Is the default `force-command` of a role dropped by a request? Critical options that are asked for replace all of the
 * role's own, so that what was to be the only command may be any.
 */
export const dropsForcedCommand = ({ role, request }: Pick<Question, 'role' | 'request'>): boolean =>
  request.critical_options !== undefined &&
  Object.hasOwn(map(role.default_critical_options), 'force-command') &&
  !Object.hasOwn(request.critical_options, 'force-command');

/** What is said of that. */
export const droppedForcedCommand = (role: string): string =>
  `the certificate has no force-command: the critical options that are requested replace the default ones of role "${role}"; add --critical-option force-command=COMMAND to keep it`;

type Rule = (question: Question) => Judgement | undefined;

const no = (rule: string, why: string, remedy: string): Judgement => ({ rule, verdict: 'no', why, remedy });

const keyType: Rule = ({ role, key }) => {
  const admitted = Object.entries(map(role.allowed_user_key_lengths));
  if (admitted.length === 0) return undefined;
  const list = admitted.map(([name, sizes]) => `${name} ${text(sizes) || sizes}`.trim()).join(', ');
  if (key === undefined) {
    const why = `the role signs certain keys only (${list}), and no key is at hand`;
    return { rule: 'key', verdict: 'depends', why, remedy: 'Name the key with --key.' };
  }
  const names = [key.type, shortNames[key.type] ?? key.type];
  const matching = admitted.filter(([name]) => names.includes(name === 'ec' ? 'ecdsa' : name));
  if (matching.length === 0) {
    return no('key', `the key is ${key.type}, and the role signs ${list}`, 'Use such a key.');
  }
  const hasSizes = ['ssh-rsa', 'ssh-dss'].includes(key.type);
  const isFixed = !hasSizes && (key.type === 'ssh-ed25519' || matching.some(([name]) => name === key.type));
  const sizes = matching.flatMap(([, value]) =>
    Array.isArray(value) ? value.map(String) : String(value).split(','),
  );
  if (isFixed || sizes.map((size) => size.trim()).includes(String(key.bits))) return undefined;
  return no('key', `the key has ${key.bits} bits, and the role signs ${list}`, 'Use a key of such a size.');
};

const shortNames: Readonly<Record<string, string>> = {
  'ssh-rsa': 'rsa',
  'ssh-dss': 'dsa',
  'ssh-ed25519': 'ed25519',
  'ecdsa-sha2-nistp256': 'ecdsa',
  'ecdsa-sha2-nistp384': 'ecdsa',
  'ecdsa-sha2-nistp521': 'ecdsa',
};

const keyId: Rule = ({ role, request }) =>
  request.key_id && role.allow_user_key_ids !== true
    ? no(
        'key_id',
        'the role does not let a key ID be asked for',
        'Leave --key-id out, or set allow_user_key_ids.',
      )
    : undefined;

const certType: Rule = (question) => {
  const kind = kindOf(question);
  const member = `allow_${kind}_certificates`;
  if (question.role[member] === true) return undefined;
  const other = kind === 'user' ? 'host' : 'user';
  const remedy = question.role[`allow_${other}_certificates`]
    ? `Ask for --cert-type ${other}, or set ${member}.`
    : `Set ${member} in the role.`;
  return no('cert_type', `the role signs no certificates for ${kind}s`, remedy);
};

const principals: Rule = (question) => {
  const { role } = question;
  const { names, byDefault } = principalsOf(question);
  const member = kindOf(question) === 'user' ? 'allowed_users' : 'allowed_domains';
  const listed = items(role[member]);
  const rule = 'valid_principals';
  if (names.length === 0) {
    if (role.allow_empty_principals === true) return undefined;
    return no(rule, 'no principal is asked for, and the role has no default', 'Name one with --principals.');
  }
  if (names.length > mostPrincipals) {
    return no(rule, `${names.length} principals are more than ${mostPrincipals}`, 'Ask for fewer.');
  }
  if (listed.length === 0) {
    return no(rule, `the role allows no principal: ${member} is empty`, `Set ${member} in the role.`);
  }
  const allowed = names.map((name) => [name, allows(question, listed, name, byDefault)] as const);
  const refused = allowed.filter(([, verdict]) => verdict === 'no').map(([name]) => name);
  const open = allowed.filter(([, verdict]) => verdict === 'depends').map(([name]) => name);
  const from = byDefault ? ' (default_user of the role)' : '';
  if (refused.length > 0) {
    const remedy = `The role allows: ${listed.join(', ')}${hostForms(question)}.`;
    return no(rule, `${refused.join(', ')}${from} is not allowed`, remedy);
  }
  if (open.length === 0) return undefined;
  const why = `whether ${open.join(', ')}${from} is allowed depends on the identity of the token`;
  return { rule, verdict: 'depends', why, remedy: 'Only a request tells: "lanyard ssh sign".' };
};

function allows(
  question: Question,
  listed: readonly string[],
  name: string,
  byDefault: boolean,
): 'yes' | 'no' | 'depends' {
  const { role } = question;
  if (byDefault && role.default_user_template === true && isTemplate(name)) return 'depends';
  if (listed.join() === '*') return 'yes';
  const isUser = kindOf(question) === 'user';
  const templates = role[isUser ? 'allowed_users_template' : 'allowed_domains_template'] === true;
  const literal = listed.filter((item) => !(templates && isTemplate(item)));
  if (isUser ? literal.includes(name) : literal.some((domain) => covers(role, domain, name))) return 'yes';
  return literal.length < listed.length ? 'depends' : 'no';
}

const covers = (role: Role, domain: string, name: string): boolean =>
  name === domain
    ? role.allow_bare_domains === true
    : role.allow_subdomains === true && name.endsWith(`.${domain}`) && name.length > domain.length + 1;

const hostForms = (question: Question): string => {
  if (kindOf(question) === 'user') return '';
  const { allow_bare_domains: bare, allow_subdomains: below } = question.role;
  if (bare === true && below === true) return ' and names below them';
  if (below === true) return ', names below them only';
  return bare === true
    ? ', these names only'
    : ', but neither themselves (allow_bare_domains) nor names below them (allow_subdomains)';
};

const ttl: Rule = (question) => {
  const { role, request, mount } = question;
  const most = longest(question);
  if (seconds(request.ttl) <= most) {
    if (mount !== undefined || seconds(role.max_ttl) > 0 || seconds(request.ttl) === 0) return undefined;
    return {
      ...{ rule: 'ttl', verdict: 'depends', why: 'the max_lease_ttl of the mount is unknown' },
      remedy: 'Only a request tells: "lanyard ssh sign".',
    };
  }
  return no(
    'ttl',
    `${request.ttl} is longer than ${formatDuration(most)}`,
    `Ask for --ttl ${formatDuration(most)} or less.`,
  );
};

const criticalOptions: Rule = ({ role, request }) => {
  const listed = items(role.allowed_critical_options);
  const outside = Object.keys(request.critical_options ?? {}).filter((name) => !listed.includes(name));
  if (listed.length === 0 || outside.length === 0) return undefined;
  return no(
    'critical_options',
    `${outside.join(', ')} is not allowed`,
    `The role allows: ${listed.join(', ')}.`,
  );
};

const extensions: Rule = ({ role, request }) => {
  const listed = items(role.allowed_extensions);
  const outside = Object.keys(request.extensions ?? {}).filter((name) => !listed.includes(name));
  if (listed.join() === '*' || outside.length === 0) return undefined;
  const remedy =
    listed.length === 0
      ? 'Leave --extension out: the role gives its own.'
      : `The role allows: ${listed.join(', ')}.`;
  return no('extensions', `${outside.join(', ')} is not allowed`, remedy);
};

const authority: Rule = ({ role, ca }) => {
  if (ca === undefined) return no('ca', 'there is no CA', 'Make one: "lanyard ssh ca create".');
  const signer = text(role.algorithm_signer);
  if (ca.type === 'ssh-rsa' || signer === '' || signer === 'default') return undefined;
  const why = `algorithm_signer ${signer} needs an RSA CA, and the CA is ${ca.type}`;
  return no('algorithm_signer', why, 'Set algorithm_signer to default in the role.');
};

const rules: readonly Rule[] = [
  ...[keyType, keyId, certType, principals, ttl, criticalOptions, extensions, authority],
];
