import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { onTestFinished } from 'vitest';
import { pathOf } from '../../../support/require.ts';
import { type Home, home, type Ran, type RunOptions } from '../../../support/run.ts';
import { services, type TestServices } from '../../../support/services.ts';
import { done, mountCa } from '../../../support/ssh-ca.ts';

/** The programs that these tests need. */
export const programs = ['sshd', 'ssh-keygen'];

/** The content of files by their relative path. */
export type Tree = Readonly<Record<string, string>>;

/** A host with a configuration of sshd in a temporary root, and a secrets service with CAs for hosts and users. */
export interface TestHost {
  readonly at: Home;
  readonly running: TestServices;
  /** The path of a file of the root, such as `etc/ssh/sshd_config`. */
  file(name: string): string;
  /** `ssh host VERB` for this sshd. */
  run(verb: string, flags?: readonly string[], options?: RunOptions): Promise<Ran>;
  /** The files below `etc`, as Base64. */
  tree(): Tree;
  /** Makes `etc` have these files, and no others. */
  reset(tree: Tree): void;
  /** What `sshd -T` says about a setting. */
  effective(setting: string): readonly string[];
  /** Time of the service and of Lanyard. */
  time: Date;
  /** A new wrapping token of a secret ID, in the file `wrap`. */
  wrapSecretId(): Promise<string>;
  readonly roleId: string;
}

/** Flags that enroll with both CAs and an AppRole. */
export const enrollFlags = ({ roleId, at }: TestHost): readonly string[] => [
  ...[
    '--role',
    'hosts',
    '--mount',
    'ssh-hosts',
    '--principals',
    'web1.example.com',
    '--user-ca',
    'ssh-users',
  ],
  ...['--method', 'approle', '--role-id', roleId, '--wrapped-secret-id', `@${at.file('wrap')}`, '--no-timer'],
];

/**
 * @param mainConfig lines of sshd_config before the host keys; `ETC` is the directory. Default: it includes
 * sshd_config.d.
 */
export async function testHost(mainConfig = ['Include ETC/ssh/sshd_config.d/*.conf']): Promise<TestHost> {
  const at = home();
  const host = { time: new Date() };
  const clock = () => host.time;
  const running = await services(at, { clock });
  onTestFinished(async () => {
    await running.close();
    at.remove();
  });
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const etc = at.file('etc');
  const config = at.file('etc/ssh/sshd_config');
  mkdirSync(at.file('etc/ssh/sshd_config.d'), { recursive: true });
  const key = at.file('etc/ssh/ssh_host_ed25519_key');
  execFileSync(pathOf('ssh-keygen'), ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const lines = [...mainConfig, `HostKey ${key}`, `PidFile ${at.file('sshd.pid')}`, ''];
  writeFileSync(config, lines.join('\n').replaceAll('ETC', etc));
  await mountCa(at, 'ssh-users', ['--key-type', 'ed25519']);
  await mountCa(at, 'ssh-hosts', ['--key-type', 'ed25519']);
  const roleId = await prepareRoles(at);

  return Object.assign(host, {
    at,
    running,
    roleId,
    file: at.file,
    run: (verb: string, flags: readonly string[] = [], options: RunOptions = {}) =>
      at.run(['ssh', 'host', verb, '--sshd-config', config, ...flags], { clock, ...options }),
    tree: () => treeOf(etc),
    reset(tree: Tree) {
      rmSync(etc, { recursive: true });
      for (const [name, content] of Object.entries(tree)) {
        mkdirSync(dirname(join(etc, name)), { recursive: true, mode: 0o700 });
        // sshd rejects a private key that others can read.
        writeFileSync(join(etc, name), Buffer.from(content, 'base64'), { mode: 0o600 });
      }
      mkdirSync(at.file('etc/ssh/sshd_config.d'), { recursive: true });
    },
    effective(setting: string) {
      const { stdout } = spawnSync(pathOf('sshd'), ['-T', '-f', config], { encoding: 'utf8' });
      return [...stdout.matchAll(new RegExp(`^${setting} (.*)$`, 'gm'))].map(([, value = '']) => value);
    },
    wrapSecretId: () => wrapSecretId(at),
  });
}

async function prepareRoles(at: Home): Promise<string> {
  const lines = [
    'ssh role put hosts --mount ssh-hosts --allow-host-certificates --allowed-domains example.com --allow-subdomains --ttl 30d --max-ttl 30d',
    'secrets auth enable approle',
    'secrets write auth/approle/role/ssh-host token_policies=ssh-host token_ttl=5m',
  ];
  for (const line of lines) await done(at, line.split(' '));
  const policy = 'path "ssh-hosts/sign/hosts" { capabilities = ["update"] }';
  await done(at, ['secrets', 'policy', 'put', 'ssh-host', policy]);
  const id = await done(at, [
    'secrets',
    'read',
    'auth/approle/role/ssh-host/role-id',
    '--field',
    'data.role_id',
  ]);
  await wrapSecretId(at);
  return id.trim();
}

async function wrapSecretId(at: Home): Promise<string> {
  const argv = ['secrets', 'write', 'auth/approle/role/ssh-host/secret-id', '--wrap-ttl', '10m'];
  const token = (await done(at, [...argv, '--field', 'token'])).trim();
  at.write('wrap', token);
  return token;
}

function treeOf(root: string): Tree {
  if (!existsSync(root)) return {};
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    // What a lock or a killed process leaves.
    .filter((path) => !/\.(lock|lock-journal|tmp)$/.test(path));
  return Object.fromEntries(
    files.sort().map((path) => [relative(root, path), readFileSync(path).toString('base64')]),
  );
}

export const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
