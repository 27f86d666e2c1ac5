import { formatDuration } from '../../../wire/duration.ts';
import { principals, principalsOf } from './principal-rule.ts';
import {
  dependsOnToken,
  isOpenBaoRole,
  isTemplate,
  items,
  type Judgement,
  kindOf,
  map,
  type Question,
  type Role,
  type Rule,
  rejection,
  seconds,
  text,
} from './role-question.ts';

const systemMaxTtlSeconds = 768 * 3600;

const maxTtlSeconds = ({ role, mount }: Question): number =>
  seconds(role.max_ttl) || mount?.maxTtl || systemMaxTtlSeconds;

/** Whether a lifetime of the mount applies because the role has none. */
export const usesMountLifetimes = ({ role, request }: Pick<Question, 'role' | 'request'>): boolean =>
  !seconds(role.max_ttl) || !seconds(role.ttl) || asksForDefault({ request });

/** A requested lifetime of 0 is the default of the mount, not of the role. */
const asksForDefault = ({ request }: Pick<Question, 'request'>): boolean =>
  request.ttl !== undefined && seconds(request.ttl) === 0;

const requestedSeconds = (question: Question): number =>
  asksForDefault(question)
    ? question.mount?.defaultTtl || systemMaxTtlSeconds
    : seconds(question.request.ttl);

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
  const ttl = requestedSeconds(question) || Math.min(byDefault, maxTtlSeconds(question));
  const extensions = Object.entries(request.extensions ?? map(role.default_extensions));
  const open = templatedExtensions(question);
  return {
    kind: kindOf(question),
    principals: principalsOf(question).names,
    ttl: formatDuration(ttl),
    criticalOptions: request.critical_options ?? map(role.default_critical_options),
    /** Without those whose value comes from the identity of the token. */
    extensions: Object.fromEntries(extensions.filter(([name]) => !open.includes(name))),
  };
}

/** The names of the default extensions whose value comes from the identity of the token. */
const templatedExtensions = ({ role, request }: Pick<Question, 'role' | 'request'>): string[] =>
  request.extensions === undefined && role.default_extensions_template === true
    ? Object.entries(map(role.default_extensions)).flatMap(([name, value]) => (isTemplate(value) ? name : []))
    : [];

/** The names that a list of the role allows. OpenBao keeps spaces, so that `a, b` does not allow `b`. */
const allowedNames = (role: Role, value: unknown): readonly string[] =>
  isOpenBaoRole(role) ? (text(value) === '' ? [] : text(value).split(',')) : items(value);

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
    const why = `the key type is ${key.type}, but the role only signs ${list}`;
    return rejection('key', why, 'Use an allowed key type.');
  }
  const hasSizes = ['ssh-rsa', 'ssh-dss'].includes(key.type);
  const isFixed = !hasSizes && (key.type === 'ssh-ed25519' || matching.some(([name]) => name === key.type));
  const sizes = matching.flatMap(([, value]) =>
    Array.isArray(value) ? value.map(String) : String(value).split(','),
  );
  if (isFixed || sizes.map((size) => size.trim()).includes(String(key.bits))) return undefined;
  const why = `the key has ${key.bits} bits, but the role only signs ${list}`;
  return rejection('key', why, 'Use an allowed key size.');
};

const shortNames: Readonly<Record<string, string>> = {
  'ssh-rsa': 'rsa',
  'ssh-dss': 'dsa',
  'ssh-ed25519': 'ed25519',
  'ecdsa-sha2-nistp256': 'ecdsa',
  'ecdsa-sha2-nistp384': 'ecdsa',
  'ecdsa-sha2-nistp521': 'ecdsa',
};

const keyId: Rule = ({ role, request }) => {
  if (!request.key_id || role.allow_user_key_ids === true) return undefined;
  const remedy = 'Omit --key-id, or set allow_user_key_ids in the role.';
  return rejection('key_id', 'the role does not allow key IDs in requests', remedy);
};

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

const ttl: Rule = (question) => {
  const { role, request, mount } = question;
  const maxSeconds = maxTtlSeconds(question);
  const requested = requestedSeconds(question);
  if (mount === undefined && asksForDefault(question))
    return dependsOnToken('ttl', 'the default_lease_ttl of the mount is unknown');
  if (requested <= maxSeconds) {
    if (mount !== undefined || seconds(role.max_ttl) > 0 || requested === 0) return undefined;
    return dependsOnToken('ttl', 'the max_lease_ttl of the mount is unknown');
  }
  const max = formatDuration(maxSeconds);
  const isDefault = asksForDefault(question);
  const asked = isDefault ? `the default of the mount, ${formatDuration(requested)},` : request.ttl;
  return rejection('ttl', `${asked} exceeds the maximum of ${max}`, `Use --ttl ${max} or less.`);
};

const criticalOptions: Rule = ({ role, request }) => {
  const listed = allowedNames(role, role.allowed_critical_options);
  const outside = Object.keys(request.critical_options ?? {}).filter((name) => !listed.includes(name));
  if (listed.length === 0 || outside.length === 0) return undefined;
  const remedy = `The role allows: ${listed.join(', ')}.`;
  return rejection('critical_options', `${outside.join(', ')} is not allowed`, remedy);
};

const extensions: Rule = ({ role, request }) => {
  const open = templatedExtensions({ role, request });
  if (open.length > 0) {
    const why = `the value of ${open.join(', ')} comes from the identity of the token`;
    return dependsOnToken('extensions', why);
  }
  const listed = allowedNames(role, role.allowed_extensions);
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

const rules = [keyType, keyId, certType, principals, ttl, criticalOptions, extensions, caRule];
