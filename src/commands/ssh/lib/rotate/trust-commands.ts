import type { SecretsClient } from '../../../../api/secrets.ts';
import { items, text } from '../role-question.ts';
import { type Roles, readRoles } from './roles.ts';
import type { Rotation } from './types.ts';

/** Command lines for a purpose. */
export interface TrustCommands {
  /** Where to run them: "On each host:". */
  readonly purpose: string;
  /** Command lines, as for a shell. */
  readonly lines: readonly string[];
}

const usersFile = '/etc/ssh/trusted-user-ca-keys.pem';

/** The commands that install both CAs of a rotation, and check it. @param fingerprint of the new CA. */
export async function installCommands(
  secrets: SecretsClient,
  rotation: Rotation,
  fingerprint: string,
): Promise<readonly TrustCommands[]> {
  const { mount, kind, old, new: next } = rotation;
  const roles = await readRoles(secrets, mount);
  const trust = `lanyard ssh trust --mount ${mount}${ids(old, next)}`;
  const { users, hosts } = signedKinds(roles);
  const files = [
    ...(users ? [{ where: 'each host', flags: `--users ${usersFile}`, file: usersFile }] : []),
    ...(hosts
      ? [
          {
            where: 'each client',
            flags: `--hosts ${quoted(hostPatterns(roles))}`,
            file: '~/.ssh/known_hosts',
          },
        ]
      : []),
  ];
  return [
    ...files.map(({ where, flags }) => ({ purpose: `On ${where}:`, lines: [`${trust} ${flags}`] })),
    {
      purpose: 'Without access to the service, copy the bundle and install it from the file:',
      lines: [
        `lanyard ssh ca rotate trust --mount ${mount} --field bundle > ${fileName(mount)}`,
        ...files.map(({ flags }) => `lanyard ssh trust --bundle ${fileName(mount)} ${flags}`),
      ],
    },
    ...files.map(({ where, file }) => ({
      purpose: `Check ${where}; it prints a line if the new CA is trusted:`,
      lines: [
        file === usersFile
          ? `ssh-keygen -lf ${usersFile} | grep ${fingerprint}`
          : `grep -F '${(next?.publicKey ?? '').split(' ').slice(0, 2).join(' ')}' ${file}`,
      ],
    })),
    ...(kind === 'mounts' && users && next
      ? [
          {
            purpose: 'Log in with a certificate of the new CA before the switch:',
            lines: [
              `lanyard ssh connect USER@HOST --mount ${next.mount} --role ${firstUserRole(roles)} -- true`,
            ],
          },
        ]
      : []),
  ];
}

/** The commands that remove the old CA from hosts and clients. @param fingerprint of the old CA. */
export async function removeCommands(
  secrets: SecretsClient,
  { mount }: Rotation,
  fingerprint: string,
): Promise<readonly string[]> {
  const roles = await readRoles(secrets, mount);
  const { users, hosts } = signedKinds(roles);
  const remove = `lanyard ssh trust --remove ${fingerprint}`;
  return [
    ...(users ? [`${remove} --users ${usersFile}`] : []),
    ...(hosts ? [`${remove} --hosts ${quoted(hostPatterns(roles))}`] : []),
  ];
}

/** On OpenBao the keys of named issuers are readable without a token, the list of them is not. */
const ids = (...cas: readonly (Rotation['old'] | undefined)[]): string =>
  cas.map((ca) => (ca?.issuer ? ` --issuer ${ca.issuer.id}` : '')).join('');

/** What the roles of a mount sign; both, if there are no roles. */
function signedKinds(roles: Roles): { readonly users: boolean; readonly hosts: boolean } {
  const all = [...roles.values()].filter(({ key_type }) => key_type !== 'otp');
  const users = all.some((role) => role.allow_user_certificates === true);
  const hosts = all.some((role) => role.allow_host_certificates === true);
  return users || hosts ? { users, hosts } : { users: true, hosts: true };
}

const firstUserRole = (roles: Roles): string =>
  [...roles].find(([, role]) => role.allow_user_certificates === true)?.[0] ?? 'ROLE';

/** The patterns of known_hosts for the names that roles for hosts permit; `*` if they permit any. */
function hostPatterns(roles: Roles): readonly string[] {
  const patterns = [...roles.values()]
    .filter((role) => role.allow_host_certificates === true)
    .flatMap((role) =>
      items(text(role.allowed_domains)).flatMap((domain) => [
        ...(domain === '*' || role.allow_bare_domains === true ? [domain] : []),
        ...(domain !== '*' && role.allow_subdomains === true ? [`*.${domain}`] : []),
      ]),
    );
  const isPlain = patterns.length > 0 && patterns.every((pattern) => /^[\w.*-]+$/.test(pattern));
  return isPlain && !patterns.includes('*') ? [...new Set(patterns)] : ['*'];
}

const quoted = (patterns: readonly string[]): string => `'${patterns.join(',')}'`;

const fileName = (mount: string): string => `${mount.replaceAll('/', '-')}-cas.pub`;
