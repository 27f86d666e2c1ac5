import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import { guides } from '../../src/cli/help/guides.ts';
import type { ServiceName } from '../../src/wire/services.ts';
import { startSshd } from '../e2e/openssh.ts';
import { lanyard, lanyardProcess, shell, start } from '../support/process.ts';
import { has, pathOf } from '../support/require.ts';
import { type Home, home } from '../support/run.ts';

// Runs the commands of every guide in docs/guides, in order and in one shell, against `lanyard dev`.

/** A command of a guide, and the output that the guide shows below it. */
interface Step {
  readonly command: string;
  readonly shown: readonly string[];
}

/** What `dev -o json` prints. */
interface Started {
  readonly addresses: Readonly<Record<ServiceName, string>>;
  readonly tokens: Readonly<Partial<Record<ServiceName, string>>>;
  readonly password: string;
}

/** What a guide needs in addition to `lanyard dev`. */
interface Needs {
  readonly dev?: readonly string[];
  readonly program?: string;
  /** Variables that the reader of the guide has set. */
  readonly env?: (started: Started) => Readonly<Record<string, string>>;
}

const variables = (started: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(started).map(([name, value]) => [name, value ?? '']));

/** Guides that run against the services of the active profile. The others have a test of their own. */
const simple: Readonly<Record<string, Needs>> = {
  'getting-started': { program: 'ssh-keygen' },
  'ssh-certificates': { program: 'ssh-keygen' },
  'ssh-revoke': { program: 'ssh-keygen' },
  'ssh-history': { dev: ['--audit-log', 'audit.log'], program: 'ssh-keygen' },
  'ssh-rejected': { program: 'ssh' },
  'one-time-passwords': {},
  'running-programs': {},
  'copy-secrets': {},
  drift: {},
  environments: {},
  templates: { program: 'openssl' },
  'aliases-and-plugins': {},
  'ci-jobs': {},
  'embedded-services': { program: 'curl' },
  'new-openbao': { dev: ['--uninitialized'], program: 'ssh-keygen' },
  'new-consul': {},
  'new-nomad': {},
  // The password of the administrator, which `boundary database init` prints.
  'new-boundary': { env: ({ password }) => ({ BOUNDARY_PASSWORD: password }) },
  'from-vault': {
    env: ({ addresses, tokens }) => variables({ VAULT_ADDR: addresses.secrets, VAULT_TOKEN: tokens.secrets }),
  },
  'from-consul': { env: ({ addresses }) => ({ CONSUL_HTTP_ADDR: addresses.registry }) },
  'from-nomad': { env: ({ addresses }) => ({ NOMAD_ADDR: addresses.scheduler }) },
  'from-boundary': {
    env: ({ addresses, tokens }) =>
      variables({ BOUNDARY_ADDR: addresses.accounts, BOUNDARY_TOKEN: tokens.accounts }),
  },
  'from-vagrant': {
    env: ({ addresses, tokens }) =>
      variables({ VAGRANT_SERVER_URL: addresses.box, VAGRANT_CLOUD_TOKEN: tokens.box }),
  },
};

/** Guides that run against other services than those of the active profile. */
const clusters = ['real-clusters', 'state-files'] as const;

const read = (name: string): string => readFileSync(`docs/guides/${name}.md`, 'utf8');

/** The addresses of `lanyard dev` without --port. */
const defaultAddresses: Readonly<Record<ServiceName, string>> = {
  secrets: 'http://127.0.0.1:8200',
  registry: 'http://127.0.0.1:8500',
  box: 'http://127.0.0.1:8090',
  scheduler: 'http://127.0.0.1:4646',
  accounts: 'http://127.0.0.1:9200',
};

/** The addresses of clusters in the guides. */
const clusterAddresses: Readonly<Record<ServiceName, string>> = {
  secrets: 'https://vault.example.com:8200',
  registry: 'https://consul.example.com:8501',
  box: 'https://boxes.example.com',
  scheduler: 'https://nomad.example.com:4646',
  accounts: 'https://boundary.example.com:9200',
};

/** The guide with other addresses. */
const readdressed = (guide: string, from: Started['addresses'], to: Started['addresses']): string =>
  Object.entries(from).reduce(
    (text, [service, address]) => text.replaceAll(address, to[service as ServiceName]),
    guide,
  );

/** A home with `lanyard` in a directory of its own for PATH. */
function userHome(): Home {
  const at = home();
  onTestFinished(() => at.remove());
  at.write('bin/lanyard', `#!/bin/sh\nexec ${lanyard} "$@"\n`, 0o700);
  return at;
}

/** Starts embedded services, whose profile is active. */
const startServices = async (at: Home, ...flags: readonly string[]): Promise<Started> =>
  JSON.parse(await start(at, ['dev', ...flags, '--port', '0', '-o', 'json']).until(/^\}$/m));

/** Ends the output of a command; its exit code follows. */
const separator = '--- exit code ';

/** The commands of all `console` blocks: lines after `$ `, with continued lines and here-documents. */
function stepsOf(guide: string): Step[] {
  return [...guide.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block = '']) => {
    expect(block).toMatch(/^\$ /);
    const commands = /^\$ (.*<<'END'\n(?:.*\n)*?END|(?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/gm;
    return [...block.matchAll(commands)].map(([, command = '', output = '']) => ({
      command,
      shown: output.split('\n').filter((line) => line !== ''),
    }));
  });
}

/** A line of output, in which `...` is any text and several spaces are a separator of columns. */
const patternOf = (line: string): RegExp =>
  new RegExp(
    `^${line
      .replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
      .replaceAll('\\.\\.\\.', '.+')
      .replaceAll(/ {2,}/g, '\\s+')}$`,
  );

/** The shown lines that the output does not have, in the order of the guide. */
function missingLines(shown: readonly string[], output: readonly string[]): string[] {
  let next = 0;
  return shown.filter((line) => {
    const found = output.findIndex((each, index) => index >= next && patternOf(line).test(each));
    if (found >= 0) next = found + 1;
    return found < 0;
  });
}

/** The commands of a guide that failed, or did not print what the guide shows. Runs them in one shell. */
async function failuresOf(guide: string, at: Home, env: Readonly<Record<string, string>> = {}) {
  const steps = stepsOf(guide);
  expect(steps.length).toBe(guide.match(/^\$ /gm)?.length);
  // The exit code of a command is also that of the lines that report it, for `echo $?`. Output may end without newline.
  const report = `code=$?; printf '\\n${separator}%s\\n' "$code"; (exit $code)\n`;
  const script = steps.map(({ command }) => `${command}\n${report}`);
  at.write('guide.sh', `exec 2>&1\n${script.join('')}exit 0\n`);
  const ran = await shell(at, 'sh guide.sh', { ...env, PATH: `${at.file('bin')}:${at.env.PATH}` });

  const results = [...ran.stdout.matchAll(new RegExp(`(.*?)^${separator}(\\d+)\\n`, 'gms'))];
  expect(results, ran.stdout).toHaveLength(steps.length);
  return steps.flatMap(({ command, shown }, index) => {
    const [, output = '', code] = results[index] ?? [];
    const following = steps[index + 1];
    const expected = following?.command === 'echo $?' ? following.shown[0] : '0';
    const missing = missingLines(shown, output.split('\n'));
    return code === expected && missing.length === 0 ? [] : [{ command, code, missing, output }];
  });
}

/** Lets `ssh` of a home reach an sshd as the host of the guides. */
function reachHost(at: Home, port: number): void {
  // ssh finds its files by the user database, not by $HOME.
  at.write('bin/ssh', `#!/bin/sh\nexec ${pathOf('ssh')} -F '${at.file('.ssh/config')}' "$@"\n`, 0o700);
  at.write(
    '.ssh/config',
    [
      ...['Host web-1.example.com', '  HostName 127.0.0.1', `  Port ${port}`],
      ...['  HostKeyAlias web-1.example.com', `  UserKnownHostsFile ${at.file('.ssh/known_hosts')}`],
      ...['  GlobalKnownHostsFile /dev/null', '  StrictHostKeyChecking yes', '  BatchMode yes'],
      ...['  IdentityAgent none', '  LogLevel ERROR', ''],
    ].join('\n'),
  );
}

describe('the guide', () => {
  test.for(Object.entries(simple))(
    '%s works as written',
    async ([name, { dev = [], program, env }], { skip }) => {
      skip(program !== undefined && !has(program), `${program} is missing`);
      const at = userHome();
      const started = await startServices(at, ...dev);
      const guide = readdressed(read(name), defaultAddresses, started.addresses);
      expect(await failuresOf(guide, at, env?.(started))).toEqual([]);
    },
  );

  test.for(clusters)('%s works as written, with other services as the cluster', async (name) => {
    const [at, cluster] = [userHome(), userHome()];
    const [, { addresses, tokens, password }] = await Promise.all([
      startServices(at),
      startServices(cluster),
    ]);
    const bootstrapped = await lanyardProcess(cluster, ['acl', 'bootstrap', '--field', 'SecretID']);
    const registryToken = bootstrapped.stdout.trim();

    const guide = readdressed(read(name), clusterAddresses, addresses);
    const prefix = name === 'state-files' ? 'PROD_' : '';
    const environment = variables({
      [`${prefix}VAULT_TOKEN`]: tokens.secrets,
      [`${prefix}CONSUL_HTTP_TOKEN`]: registryToken,
      [`${prefix}NOMAD_TOKEN`]: 'unused',
      [`${prefix}VAGRANT_CLOUD_TOKEN`]: tokens.box,
      BOUNDARY_PASSWORD: password,
    });
    expect(await failuresOf(guide, at, environment)).toEqual([]);
  });

  test('ssh-for-teams works as written, with a real sshd', async ({ skip }) => {
    skip(!['sshd', 'ssh', 'ssh-keygen'].every(has), 'OpenSSH is missing');
    const at = userHome();
    const { addresses } = await startServices(at);
    const etc = at.file('etc/ssh');
    at.write('etc/ssh/sshd_config.d/50-local.conf', '');
    await shell(at, `${pathOf('ssh-keygen')} -q -t ed25519 -N '' -f ${etc}/ssh_host_ed25519_key`);
    const sshd = await startSshd(etc, 'sshd', [
      `Include ${etc}/sshd_config.d/*.conf`,
      ...[`HostKey ${etc}/ssh_host_ed25519_key`, `PidFile ${etc}/sshd.pid`],
    ]);
    onTestFinished(() => sshd.stop());
    const guide = readdressed(read('ssh-for-teams'), defaultAddresses, addresses)
      .replaceAll('/etc/ssh/', `${etc}/`)
      .replaceAll(/ssh host (enroll|renew)/g, `$& --sshd-config ${etc}/sshd.conf`)
      // Without root, only the current user can log in.
      .replaceAll('ubuntu', userInfo().username);
    // A machine without systemd: the test must not start a timer.
    at.write('bin/systemctl', '#!/bin/sh\necho offline\nexit 1\n', 0o700);
    reachHost(at, sshd.port);
    expect(await failuresOf(guide, at), sshd.log()).toEqual([]);
    expect(sshd.log()).toContain('ID userpass-alice');
    // The host rejects Bob.
    const bob = `lanyard -p bob ssh connect ${userInfo().username}@web-1.example.com --host-ca ssh-hosts -- true`;
    const PATH = `${at.file('bin')}:${at.env.PATH}`;
    expect(await shell(at, bob, { PATH })).toMatchObject({ code: 255 });
    expect(sshd.log()).toMatch(/revoked by file/);
  });

  test('ssh-for-teams takes a team from an empty machine to a rotation and a revocation in 15 commands', () => {
    const [team = ''] = read('ssh-for-teams').split(/^## Every day$/m);
    // What the timer runs, what shows a rejection, and what cleans up are not part of it.
    const others = /ssh host renew|ssh explain|admin@|secrets delete|retire$/;
    const again = /(switch[^$]*)\$ lanyard -p alice ssh connect.*/;
    const commands = stepsOf(team.replace(again, '$1')).filter(({ command }) =>
      command.startsWith('lanyard '),
    );
    expect(commands.filter(({ command }) => !others.test(command)).length).toBeLessThanOrEqual(15);
  });

  test('ssh-rotate works as written, with a real sshd', async ({ skip }) => {
    skip(!['sshd', 'ssh', 'ssh-keygen'].every(has), 'OpenSSH is missing');
    const at = userHome();
    await startServices(at);
    const guide = read('ssh-rotate')
      .replaceAll('/etc/ssh/', `${at.file('etc')}/`)
      // Without root, only the current user can log in.
      .replaceAll('ubuntu', userInfo().username);
    at.write('etc/directory', '');
    await shell(at, `${pathOf('ssh-keygen')} -q -t ed25519 -N '' -f etc/ssh_host_ed25519_key`);
    const sshd = await startSshd(at.path, 'sshd', [
      `HostKey ${at.file('etc/ssh_host_ed25519_key')}`,
      `TrustedUserCAKeys ${at.file('etc/trusted-user-ca-keys.pem')}`,
    ]);
    onTestFinished(() => sshd.stop());
    reachHost(at, sshd.port);
    at.write('.ssh/known_hosts', `web-1.example.com ${at.read('etc/ssh_host_ed25519_key.pub')}`);
    expect(await failuresOf(guide, at), sshd.log()).toEqual([]);
  });

  test('team-state works as written, with a real sshd', async ({ skip }) => {
    skip(!['sshd', 'ssh', 'ssh-keygen'].every(has), 'OpenSSH is missing');
    const at = userHome();
    const { addresses } = await startServices(at);
    const user = userInfo().username;
    for (const directory of ['base', 'prod', 'staging'])
      for (const file of readdirSync(`docs/guides/team-state/${directory}`))
        at.write(
          `team-state/${directory}/${file}`,
          readFileSync(`docs/guides/team-state/${directory}/${file}`, 'utf8').replaceAll('ubuntu', user),
        );
    const guide = readdressed(read('team-state'), defaultAddresses, addresses)
      .replaceAll('/etc/ssh/', `${at.file('etc')}/`)
      .replaceAll('ubuntu', user);
    at.write('etc/directory', '');
    await shell(at, `${pathOf('ssh-keygen')} -q -t ed25519 -N '' -f etc/ssh_host_ed25519_key`);
    const sshd = await startSshd(at.path, 'sshd', [
      `HostKey ${at.file('etc/ssh_host_ed25519_key')}`,
      `TrustedUserCAKeys ${at.file('etc/trusted-user-ca-keys.pem')}`,
    ]);
    onTestFinished(() => sshd.stop());
    reachHost(at, sshd.port);
    at.write('.ssh/known_hosts', `web-1.example.com ${at.read('etc/ssh_host_ed25519_key.pub')}`);
    expect(await failuresOf(guide, at), sshd.log()).toEqual([]);
  });

  test('ssh-hosts works as written, with a real sshd_config', async ({ skip }) => {
    skip(!['sshd', 'ssh-keygen'].every(has), 'OpenSSH is missing');
    const at = userHome();
    const { addresses } = await startServices(at);
    const etc = at.file('etc/ssh');
    const guide = readdressed(read('ssh-hosts'), defaultAddresses, addresses)
      .replaceAll('/etc/ssh', etc)
      .replaceAll(
        /ssh host (enroll|status|renew|remove) --profile/g,
        `ssh host $1 --sshd-config ${etc}/sshd_config --profile`,
      );
    at.write('etc/ssh/sshd_config.d/50-local.conf', '');
    at.write(
      'etc/ssh/sshd_config',
      `Include ${etc}/sshd_config.d/*.conf\nHostKey ${etc}/ssh_host_ed25519_key\n`,
    );
    await shell(at, `${pathOf('ssh-keygen')} -q -t ed25519 -N '' -f ${etc}/ssh_host_ed25519_key`);
    // A machine without systemd: the test must not start a timer.
    at.write('bin/systemctl', '#!/bin/sh\necho offline\nexit 1\n', 0o700);
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
    const before = at.list('etc');
    expect(await failuresOf(guide, at)).toEqual([]);
    expect(at.list('etc')).toEqual(before);
  });

  test('is in the program, and its commands are executed', () => {
    const files = readdirSync('docs/guides')
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.replace(/\.md$/, ''));
    expect(files.sort()).toEqual(Object.keys(guides).sort());
    const executed = [
      ...Object.keys(simple),
      ...clusters,
      ...['ssh-hosts', 'ssh-for-teams', 'ssh-rotate', 'team-state'],
    ];
    expect(files.filter((name) => stepsOf(read(name)).length > 0)).toEqual(executed.sort());
  });
});
