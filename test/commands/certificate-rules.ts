import { createHash } from 'node:crypto';
import type { CertificateInfo } from '../../src/ssh/types.ts';
import type { Case, Key } from './certificate-cases.ts';

// What a role permits, once more: each rule by itself, as the specification lists them, on what was typed.

/** The durations that are typed, and their seconds. */
const seconds: Readonly<Record<string, number>> = {
  '0': 0,
  '1s': 1,
  '30': 30,
  '90s': 90,
  '1m30s': 90,
  '600': 600,
  '1h': 3600,
  '3601': 3601,
  '1.5h': 5400,
  '2h': 7200,
  '768h': 2_764_800,
  '768h0m1s': 2_764_801,
  '1500h': 5_400_000,
  '2000000h': 7_200_000_000,
};
const inSeconds = (typed: string | undefined): number => seconds[typed ?? '0'] ?? Number.NaN;
const longest = ({ role }: Case): number => inSeconds(role.maxTtl) || 2_764_800;

const items = (typed = ''): string[] => [
  ...new Set(
    typed
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  ),
];
const pair = (typed: string): [string, string] => {
  const [name = '', ...value] = typed.split('=');
  return [name, value.join('=')];
};
const names = (typed: readonly string[] = []): string[] => typed.map((option) => pair(option)[0]);
const outside = (typed: readonly string[] = [], list: string): string =>
  `[${names(typed)
    .filter((name) => !items(list).includes(name))
    .join(' ')}]`;

/** No token of these cases belongs to an identity, so that no template ever becomes a name. */
const holdsTemplate = (text: string): boolean => text.includes('{{identity.');

const kind = ({ request }: Case): 'user' | 'host' => request.certType ?? 'user';

function principals(c: Case): string[] {
  const asked = items(c.request.principals);
  return asked.length === 0 && kind(c) === 'user' ? items(c.role.defaultUser) : asked;
}

const allowedNames = (c: Case): string[] =>
  items(kind(c) === 'user' ? c.role.allowedUsers : c.role.allowedDomains);

function isAllowed(c: Case, principal: string): boolean {
  const { role, request } = c;
  const byDefault = items(request.principals).length === 0;
  if (byDefault && role.defaultUserTemplate && holdsTemplate(principal)) return false;
  const listed = allowedNames(c);
  if (listed.join() === '*') return true;
  if (kind(c) === 'user') {
    return listed.includes(principal) && !(role.allowedUsersTemplate && holdsTemplate(principal));
  }
  return listed
    .filter((domain) => !(role.allowedDomainsTemplate && holdsTemplate(domain)))
    .some((domain) => {
      if (principal === domain) return role.allowBareDomains;
      const [label = '', rest] = [principal.slice(0, -domain.length), principal.slice(-domain.length)];
      return role.allowSubdomains && rest === domain && /^.+\.$/.test(label);
    });
}

const shortNames: Readonly<Record<string, string>> = {
  'ssh-rsa': 'rsa',
  'ssh-dss': 'dsa',
  'ssh-ed25519': 'ed25519',
  'ecdsa-sha2-nistp256': 'ecdsa',
  'ecdsa-sha2-nistp384': 'ecdsa',
  'ecdsa-sha2-nistp521': 'ecdsa',
};
const shortName = ({ subject }: Case): string => shortNames[subject.type] ?? subject.type;

/** The sizes that the role admits for the key's type: by name or identifier, where one is listed. */
function admittedSizes(c: Case): string[] | undefined {
  const listed = c.role.allowedUserKeyLength
    .map(pair)
    .filter(([name]) => [c.subject.type, shortName(c)].includes(name === 'ec' ? 'ecdsa' : name));
  return listed.length === 0 ? undefined : listed.flatMap(([, sizes]) => sizes.split(','));
}

/** Does a name that the role lists say the size by itself? */
function sizeIsImplied(c: Case): boolean {
  const { type } = c.subject;
  if (type === 'ssh-rsa' || type === 'ssh-dss') return false;
  const listed = names(c.role.allowedUserKeyLength);
  return listed.includes(type) || (type === 'ssh-ed25519' && listed.includes('ed25519'));
}

export interface Rule {
  readonly command: 'ssh role put' | 'ssh sign';
  readonly message: string | ((c: Case) => string);
  readonly isBroken: (c: Case) => boolean;
}

/** In the order in which they are checked; the first that is broken is the one that is told. */
export const rules: readonly Rule[] = [
  {
    command: 'ssh role put',
    message: "Either 'allow_user_certificates' or 'allow_host_certificates' must be set to 'true'",
    isBroken: ({ role }) => !role.allowUserCertificates && !role.allowHostCertificates,
  },
  {
    command: 'ssh role put',
    message: '"ttl" value must be less than "max_ttl" when both are specified',
    isBroken: ({ role }) => inSeconds(role.maxTtl) > 0 && inSeconds(role.ttl) > inSeconds(role.maxTtl),
  },
  {
    command: 'ssh sign',
    message: (c) =>
      `public_key failed to meet the key requirements: key of type ${shortName(c)} is not allowed`,
    isBroken: (c) => c.role.allowedUserKeyLength.length > 0 && admittedSizes(c) === undefined,
  },
  {
    command: 'ssh sign',
    message: ({ subject }) =>
      `public_key failed to meet the key requirements: key is of an invalid size: ${subject.bits}`,
    isBroken: (c) => !sizeIsImplied(c) && admittedSizes(c)?.includes(String(c.subject.bits)) === false,
  },
  {
    command: 'ssh sign',
    message: 'setting key_id is not allowed by role',
    isBroken: ({ role, request }) => Boolean(request.keyId) && !role.allowUserKeyIds,
  },
  {
    command: 'ssh sign',
    message: (c) => `cert_type '${kind(c)}' is not allowed by role`,
    isBroken: (c) => !(kind(c) === 'user' ? c.role.allowUserCertificates : c.role.allowHostCertificates),
  },
  {
    command: 'ssh sign',
    message: 'empty valid principals not allowed by role',
    isBroken: (c) => principals(c).length === 0 && !c.role.allowEmptyPrincipals,
  },
  {
    command: 'ssh sign',
    message: 'valid_principals contains more than 256 names',
    isBroken: (c) => principals(c).length > 256,
  },
  {
    command: 'ssh sign',
    message: 'role is not configured to allow any principals',
    isBroken: (c) => principals(c).length > 0 && allowedNames(c).length === 0,
  },
  {
    command: 'ssh sign',
    message: (c) =>
      `${principals(c).find((principal) => !isAllowed(c, principal))} is not a valid value for valid_principals`,
    isBroken: (c) => principals(c).some((principal) => !isAllowed(c, principal)),
  },
  {
    command: 'ssh sign',
    message: (c) => `ttl is larger than maximum allowed ${longest(c)}`,
    isBroken: (c) => requested(c) > longest(c),
  },
  {
    command: 'ssh sign',
    message: ({ role, request }) =>
      `critical options not on allowed list: ${outside(request.criticalOption, role.allowedCriticalOptions)}`,
    isBroken: ({ role, request }) =>
      role.allowedCriticalOptions !== '' &&
      outside(request.criticalOption, role.allowedCriticalOptions) !== '[]',
  },
  {
    command: 'ssh sign',
    message: ({ role, request }) =>
      `extensions ${outside(request.extension, role.allowedExtensions)} are not on allowed list`,
    isBroken: ({ role, request }) =>
      role.allowedExtensions !== '*' && outside(request.extension, role.allowedExtensions) !== '[]',
  },
  {
    command: 'ssh sign',
    message: ({ role, ca }) =>
      `algorithm_signer '${role.algorithmSigner}' requires an RSA CA key, but the CA key is ${ca.type}; set it to 'default' in the role`,
    isBroken: ({ role, ca }) => ca.type !== 'ssh-rsa' && (role.algorithmSigner ?? 'default') !== 'default',
  },
];

/** The default lifetime of the mount, in seconds. */
const mountDefault = 2_764_800;

/** The requested lifetime in seconds: a lifetime of 0 is the default of the mount. 0: none is requested. */
const requested = ({ request: { ttl } }: Case): number =>
  ttl === undefined ? 0 : inSeconds(ttl) || mountDefault;

/** What the certificate says when no rule is broken; its serial is random. */
export function content(c: Case): Omit<CertificateInfo, 'serial'> {
  const { role, request, subject, ca } = c;
  const signer = role.algorithmSigner ?? 'default';
  const now = Math.floor(c.now);
  const begin = now - (role.notBeforeDuration === undefined ? 30 : inSeconds(role.notBeforeDuration));
  const lasting = requested(c) || Math.min(inSeconds(role.ttl) || mountDefault, longest(c));
  const isKept = (option: string) => !(role.defaultExtensionsTemplate && holdsTemplate(option));
  return {
    type: `${subject.type.replace('@openssh.com', '')}-cert-v01@openssh.com`,
    kind: kind(c),
    key: described(subject),
    signingCa: described(ca),
    signatureAlgorithm: ca.type !== 'ssh-rsa' ? ca.type : signer === 'default' ? 'rsa-sha2-256' : signer,
    signatureValid: true,
    keyId: request.keyId || keyId(c),
    principals: principals(c),
    validAfter: begin > 0 ? begin : undefined,
    validBefore: now + lasting,
    criticalOptions: options(request.criticalOption ?? role.defaultCriticalOption),
    extensions: options(request.extension ?? role.defaultExtension.filter(isKept)),
  };
}

const described = ({ type, bits, fingerprint }: Key) => ({ type, bits, fingerprint, comment: '' });

const options = (typed: readonly string[]): [string, string][] =>
  typed.map(pair).sort(([a], [b]) => (a < b ? -1 : 1));

function keyId({ role, subject, displayName }: Case): string {
  const hash = createHash('sha256').update(Buffer.from(subject.blob, 'base64')).digest('hex');
  return (role.keyIdFormat ?? '{{token_display_name}}')
    .replaceAll('{{token_display_name}}', displayName)
    .replaceAll('{{role_name}}', 'r')
    .replaceAll('{{public_key_hash}}', hash);
}
