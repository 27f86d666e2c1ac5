import { expect, test } from 'vitest';
import { homeForAll } from '../../support/command-tests.ts';
import { keyPair } from '../../support/keys.ts';
import { playback, type Recorded, sshRole } from '../openbao.ts';

// What OpenBao 2.6.2 did with `ssh sign` of each role and request, where it differs from the embedded service.

const at = homeForAll();

const template = '{{identity.entity.metadata.login}}';
const principals = Array.from({ length: 300 }, (_, index) => `u${index}`).join(',');
const cases: readonly (readonly [
  name: string,
  role: Readonly<Record<string, unknown>>,
  flags: readonly string[],
  would: 'yes' | 'no' | 'depends',
])[] = [
  ['no principals, allowed_users *', {}, [], 'yes'],
  ['no principals, allowed_users with a space', { allowed_users: '* ' }, [], 'no'],
  ['an empty list does not ask for the default', { default_user: 'u' }, ['--principals='], 'yes'],
  ['more principals than sshd accepts', {}, ['--principals', principals], 'yes'],
  [
    'a name with only a dot before the domain',
    { allow_host_certificates: true, allowed_domains: 'example.com', allow_subdomains: true },
    ['--cert-type=host', '--principals=.example.com'],
    'yes',
  ],
  [
    'a template next to the requested name',
    { allowed_users: `root,${template}`, allowed_users_template: true },
    ['--principals=root'],
    'depends',
  ],
  [
    'a template as default user that is not requested',
    { default_user: template, default_user_template: true },
    ['--principals=root'],
    'depends',
  ],
  [
    'a list of extensions with spaces',
    { allowed_extensions: 'permit-pty, permit-user-rc' },
    ['--principals=root', '--extension=permit-user-rc'],
    'no',
  ],
  [
    'a lifetime of 0 is the default of the mount',
    { ttl: 600, max_ttl: 3600 },
    ['--principals=root', '--ttl=0'],
    'no',
  ],
];

const mount: Recorded = {
  status: 200,
  body: { data: { default_lease_ttl: 2764800, max_lease_ttl: 2764800 } },
};
const ca = keyPair('ed25519').publicLine;

const explain = async (role: Readonly<Record<string, unknown>>, flags: readonly string[]) => {
  const server = await playback({
    'GET ssh/roles/r': sshRole(role),
    'GET ssh/public_key': { status: 200, text: ca },
    'GET sys/mounts/ssh/tune': mount,
  });
  const ran = await at.run(['ssh', 'explain', 'r', ...flags, '--address', server.url, '-o', 'json']);
  return { ...ran, result: JSON.parse(ran.stdout) };
};

for (const [name, role, flags, would] of cases)
  test(`${name}: ${would}`, async () => {
    const { result } = await explain(role, flags);
    expect(result.would).toBe(would);
  });

test('warns of a certificate for any user, which OpenBao signs', async () => {
  const { stderr, result } = await explain({}, []);
  expect(stderr).toMatch(/^warning: the certificate has no principals: it is valid for any user/);
  expect(result.warnings).toHaveLength(1);
  const { stderr: quiet } = await explain({}, ['--principals=root']);
  expect(quiet).toBe('');
});
