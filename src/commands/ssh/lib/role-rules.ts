import type { PublicKeyInfo } from '../../../ssh/types.ts';
import { formatDuration, parseDuration } from '../../../wire/duration.ts';
import type { SshSignBody } from '../../../wire/secrets.ts';

export type Role = Readonly<Record<string, unknown>>;

export interface Question {
  readonly role: Role;
  readonly request: Omit<SshSignBody, 'public_key'>;
  /** Undefined: not known. */
  readonly key: PublicKeyInfo | undefined;
  /** The key of the CA; undefined: the CA does not exist. */
  readonly ca: PublicKeyInfo | undefined;
  /** The lifetimes of the mount, used if the role has none; undefined: they cannot be read. */
  readonly mount: MountLifetimes | undefined;
}

/** Seconds; 0: the default of the service. */
export interface MountLifetimes {
  readonly defaultTtl: number;
  readonly maxTtl: number;
}

export interface Judgement {
  readonly rule: string;
  /** `depends`: on the identity of the token, which only the service knows. */
  readonly verdict: 'no' | 'depends';
  readonly why: string;
  /** How to change the request or the role. */
  readonly remedy: string;
}

const systemMaxTtlSeconds = 768 * 3600;
const maxPrincipals = 256;

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

function principalsOf(question: Question): {
  readonly names: readonly string[];
  readonly byDefault: boolean;
} {
  const requested = items(question.request.valid_principals);
  if (requested.length > 0 || kindOf(question) !== 'user') return { names: requested, byDefault: false };
  return { names: items(question.role.default_user), byDefault: true };
}

const maxTtlSeconds = ({ role, mount }: Question): number =>
  seconds(role.max_ttl) || mount?.maxTtl || systemMaxTtlSeconds;

/** Whether a lifetime of the mount applies because the role has none. */
export const usesMountLifetimes = (role: Role): boolean => !seconds(role.max_ttl) || !seconds(role.ttl);

/**
 * The rules that reject a request, in the order in which a service checks them (docs/protocol/ssh.md#sign-an-ssh-key);
 * empty if the role would sign it.
 */
export const judge = (question: Question): Judgement[] =>
  question.role.key_type === 'otp' ? [signsNothingJudgement] : rules.flatMap((rule) => rule(question) ?? []);

const signsNothingJudgement: Judgement = {
  rule: 'key_type',
  verdict: 'no',
  why: 'the role has key type otp and does not sign keys',
  remedy: 'Run `lanyard ssh creds` for a one-time password.',
};

/** The certificate that a role would sign, according to the request and the role. */
export function outcome(question: Question) {
  const { role, request, mount } = question;
  const byDefault = seconds(role.ttl) || mount?.defaultTtl || systemMaxTtlSeconds;
  const ttl = seconds(request.ttl) || Math.min(byDefault, maxTtlSeconds(question));
  return {
    kind: kindOf(question),
    principals: principalsOf(question).names,
    ttl: formatDuration(ttl),
    criticalOptions: request.critical_options ?? map(role.default_critical_options),
    extensions: request.extensions ?? map(role.default_extensions),
  };
}

/**
 * Whether a request drops the default `force-command` of a role: requested critical options replace all of the role's
 * own, which permits any command.
 */
export const dropsForcedCommand = ({ role, request }: Pick<Question, 'role' | 'request'>): boolean =>
  request.critical_options !== undefined &&
  Object.hasOwn(map(role.default_critical_options), 'force-command') &&
  !Object.hasOwn(request.critical_options, 'force-command');

export const droppedForcedCommand = (role: string): string =>
  `the certificate has no force-command: the requested critical options replace the defaults of role "${role}"; add --critical-option force-command=COMMAND to keep it`;

type Rule = (question: Question) => Judgement | undefined;

const rejection = (rule: string, why: string, remedy: string): Judgement => ({
  rule,
  verdict: 'no',
  why,
  remedy,
});

const keyType: Rule = ({ role, key }) => {
  const admitted = Object.entries(map(role.allowed_user_key_lengths));
  if (admitted.length === 0) return undefined;
  const list = admitted.map(([name, sizes]) => `${name} ${text(sizes) || sizes}`.trim()).join(', ');
  if (key === undefined) {
    const why = `the role only signs ${list} keys, and no key was specified`;
    return { rule: 'key', verdict: 'depends', why, remedy: 'Specify the key with --key.' };
  }
  const names = [key.type, shortNames[key.type] ?? key.type];
  const matching = admitted.filter(([name]) => names.includes(name === 'ec' ? 'ecdsa' : name));
  if (matching.length === 0) {
    return rejection(
      'key',
      `the key type is ${key.type}, but the role only signs ${list}`,
      'Use an allowed key type.',
    );
  }
  const hasSizes = ['ssh-rsa', 'ssh-dss'].includes(key.type);
  const isFixed = !hasSizes && (key.type === 'ssh-ed25519' || matching.some(([name]) => name === key.type));
  const sizes = matching.flatMap(([, value]) =>
    Array.isArray(value) ? value.map(String) : String(value).split(','),
  );
  if (isFixed || sizes.map((size) => size.trim()).includes(String(key.bits))) return undefined;
  return rejection(
    'key',
    `the key has ${key.bits} bits, but the role only signs ${list}`,
    'Use an allowed key size.',
  );
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
    ? rejection(
        'key_id',
        'the role does not allow key IDs in requests',
        'Omit --key-id, or set allow_user_key_ids in the role.',
      )
    : undefined;

const certType: Rule = (question) => {
  const kind = kindOf(question);
  const member = `allow_${kind}_certificates`;
  if (question.role[member] === true) return undefined;
  const other = kind === 'user' ? 'host' : 'user';
  const remedy = question.role[`allow_${other}_certificates`]
    ? `Use --cert-type ${other}, or set ${member} in the role.`
    : `Set ${member} in the role.`;
  return rejection('cert_type', `the role does not sign ${kind} certificates`, remedy);
};

const principals: Rule = (question) => {
  const { role } = question;
  const { names, byDefault } = principalsOf(question);
  const member = kindOf(question) === 'user' ? 'allowed_users' : 'allowed_domains';
  const listed = items(role[member]);
  const rule = 'valid_principals';
  if (names.length === 0) {
    if (role.allow_empty_principals === true) return undefined;
    return rejection(rule, 'no principal was requested, and the role has no default', 'Add --principals.');
  }
  if (names.length > maxPrincipals) {
    return rejection(
      rule,
      `${names.length} principals exceed the limit of ${maxPrincipals}`,
      'Request fewer principals.',
    );
  }
  if (listed.length === 0)
    return rejection(rule, `the role allows no principal: ${member} is empty`, `Set ${member} in the role.`);
  const allowed = names.map((name) => [name, allows(question, listed, name, byDefault)] as const);
  const rejected = allowed.filter(([, verdict]) => verdict === 'no').map(([name]) => name);
  const open = allowed.filter(([, verdict]) => verdict === 'depends').map(([name]) => name);
  const from = byDefault ? ' (default_user of the role)' : '';
  if (rejected.length > 0) {
    const remedy = `The role allows: ${listed.join(', ')}${hostForms(question)}.`;
    return rejection(rule, `${rejected.join(', ')}${from} is not allowed`, remedy);
  }
  if (open.length === 0) return undefined;
  const why = `whether ${open.join(', ')}${from} is allowed depends on the identity of the token`;
  return { rule, verdict: 'depends', why, remedy: 'Run `lanyard ssh sign` to find out.' };
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
  if (isUser ? literal.includes(name) : literal.some((domain) => coversDomain(role, domain, name)))
    return 'yes';
  return literal.length < listed.length ? 'depends' : 'no';
}

const coversDomain = (role: Role, domain: string, name: string): boolean =>
  name === domain
    ? role.allow_bare_domains === true
    : role.allow_subdomains === true && name.endsWith(`.${domain}`) && name.length > domain.length + 1;

const hostForms = (question: Question): string => {
  if (kindOf(question) === 'user') return '';
  const { allow_bare_domains: bare, allow_subdomains: below } = question.role;
  if (bare === true && below === true) return ' and their subdomains';
  if (below === true) return ', only their subdomains';
  return bare === true
    ? ', without subdomains'
    : ', but neither the domains (allow_bare_domains) nor their subdomains (allow_subdomains)';
};

const ttl: Rule = (question) => {
  const { role, request, mount } = question;
  const maxSeconds = maxTtlSeconds(question);
  if (seconds(request.ttl) <= maxSeconds) {
    if (mount !== undefined || seconds(role.max_ttl) > 0 || seconds(request.ttl) === 0) return undefined;
    return {
      rule: 'ttl',
      verdict: 'depends',
      why: 'the max_lease_ttl of the mount is unknown',
      remedy: 'Run `lanyard ssh sign` to find out.',
    };
  }
  return rejection(
    'ttl',
    `${request.ttl} exceeds the maximum of ${formatDuration(maxSeconds)}`,
    `Use --ttl ${formatDuration(maxSeconds)} or less.`,
  );
};

const criticalOptions: Rule = ({ role, request }) => {
  const listed = items(role.allowed_critical_options);
  const outside = Object.keys(request.critical_options ?? {}).filter((name) => !listed.includes(name));
  if (listed.length === 0 || outside.length === 0) return undefined;
  return rejection(
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
      ? 'Omit --extension to get the default extensions of the role.'
      : `The role allows: ${listed.join(', ')}.`;
  return rejection('extensions', `${outside.join(', ')} is not allowed`, remedy);
};

const caRule: Rule = ({ role, ca }) => {
  if (ca === undefined) return rejection('ca', 'CA not found', 'Run `lanyard ssh ca create` to create one.');
  const signer = text(role.algorithm_signer);
  if (ca.type === 'ssh-rsa' || signer === '' || signer === 'default') return undefined;
  const why = `algorithm_signer ${signer} requires an RSA CA, but the CA is ${ca.type}`;
  return rejection('algorithm_signer', why, 'Set algorithm_signer to default in the role.');
};

const rules: readonly Rule[] = [
  ...[keyType, keyId, certType, principals, ttl, criticalOptions, extensions, caRule],
];
