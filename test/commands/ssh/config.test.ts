import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { expectFailure, words } from '../../support/command-tests.ts';
import { has } from '../../support/require.ts';
import { signing } from '../signing.ts';

const { at, run, done } = signing();
const own = '.ssh/config';
const file = '.ssh/lanyard/deploy-ubuntu.conf';
const line = 'ssh config web1 web2 --role deploy --user ubuntu';
const include = 'Include ~/.ssh/lanyard/*.conf';
const mode = (name: string): string => (statSync(at.file(name)).mode & 0o777).toString(8);

describe('ssh config', () => {
  test('writes an include file and a private key, readable by their owner only, and prints the Include line', async () => {
    const text = await done(line);
    expect(text).toContain(`Wrote ${at.file(file)}.`);
    expect(text).toContain(`${include}\n`);
    expect(at.list('.ssh/lanyard')).toEqual(
      ['', '.conf', '.pub'].map((end) => `.ssh/lanyard/deploy-ubuntu${end}`),
    );
    for (const name of at.list('.ssh/lanyard')) expect(mode(name)).toBe('600');
    expect(mode('.ssh/lanyard')).toBe('700');
    expect(existsSync(at.file(own))).toBe(false);
  });

  test('run again keeps the key, and restores a lost public key', async () => {
    await done(line);
    const [key, pub] = [at.read('.ssh/lanyard/deploy-ubuntu'), at.read('.ssh/lanyard/deploy-ubuntu.pub')];
    at.clear('.ssh/lanyard/deploy-ubuntu.pub');
    await done(line);
    expect(at.read('.ssh/lanyard/deploy-ubuntu')).toBe(key);
    expect(at.read('.ssh/lanyard/deploy-ubuntu.pub')).toBe(pub);
  });

  test('a login waits for an attempt as long as --timeout', async () => {
    expect(await done(`${line} --dry-run`)).toContain(' --timeout 1s ');
    expect(await done(`${line} --dry-run --timeout 2.5`)).toContain(' --timeout 2.5s ');
  });

  test('names the programs by their paths in PATH, which an upgrade does not move', async () => {
    const checkCommand = async (options: object): Promise<string> => {
      const { stdout } = await at.run([...line.split(' '), '--dry-run'], options);
      return /exec "(.*) ssh sign/.exec(stdout)?.[1] ?? stdout;
    };
    const [node, script] = [at.write('cellar/1.0/node', ''), at.write('cellar/1.0/lanyard.js', '')];
    mkdirSync(at.file('bin'));
    symlinkSync(node, at.file('bin/node'));
    symlinkSync(script, at.file('bin/lanyard'));
    const env = { PATH: `relative:${at.file('missing')}:${at.file('bin')}` };
    expect(await checkCommand({ env, self: [node, script] })).toBe(
      `${at.file('bin/node')} ${at.file('bin/lanyard')}`,
    );
    expect(await checkCommand({ env, self: [script] })).toBe(at.file('bin/lanyard'));
    const other = at.write('other.js', '');
    expect(await checkCommand({ env, self: [node, other] })).toBe(`${at.file('bin/node')} ${other}`);
    expect(await checkCommand({ env: { PATH: '' }, self: [node, script] })).toBe(`${node} ${script}`);
  });

  test('--out replaces only its own and empty files', async () => {
    at.write(own, 'Host mine\n');
    const ran = await run(`${line} --out .ssh/config --install`);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toBe(
      `error: cannot write ${at.file(own)}: already exists and was not created by "lanyard ssh config"\nhint: Remove it or choose another file.\n`,
    );
    expect(at.read(own)).toBe('Host mine\n');
    expect(existsSync(at.file('.ssh/lanyard'))).toBe(false);
    at.write('empty.conf', '');
    for (const _time of [1, 2]) await done(`${line} --out empty.conf`);
    expect(at.read('empty.conf')).toMatch(/^# Made by: lanyard ssh config web1 web2 /);
  });

  test('--dry-run prints the file and writes nothing', async () => {
    const before = at.list();
    const printed = await done(`${line} --dry-run`);
    expect(printed).toContain('Match host web1,web2 exec "');
    expect(at.list()).toEqual(before);
    await done(line);
    expect(at.read(file)).toBe(printed);
  });

  test('--install adds the line at the top, once, and keeps other lines and the mode', async () => {
    const mine = 'Host web1\n  Port 2222\n# Include ~/.ssh/lanyard/*.conf\n';
    at.write(own, mine);
    chmodSync(at.file(own), 0o640);
    await done(`${line} --install`);
    expect(at.read(own)).toBe(`${include}\n\n${mine}`);
    expect(mode(own)).toBe('640');
    expect(await done(`${line} --install`)).not.toContain(include);
    expect(at.read(own)).toBe(`${include}\n\n${mine}`);
    expect(await done(line)).not.toContain(include);
  });

  test('an Include below a Host line holds for that host only, and does not count', async () => {
    at.write(own, `Host other\n${include}\n`);
    await done(`${line} --install`);
    expect(at.read(own)).toBe(`${include}\n\nHost other\n${include}\n`);
  });

  test('a configuration that is a symbolic link is left alone', async () => {
    at.write('dotfiles', 'Host a\n');
    symlinkSync(at.file('dotfiles'), at.file(own));
    expect(await run(`${line} --install`)).toMatchObject({ code: 2 });
    expect(at.read('dotfiles')).toBe('Host a\n');
  });

  test('twenty concurrent processes add one line and lose nothing', async () => {
    const mine = 'Host web1\n  Port 2222\n';
    at.write(own, mine);
    const all = Array.from({ length: 20 }, (_, index) =>
      run(`ssh config h${index} --role r${index} --install`),
    );
    for (const ran of await Promise.all(all)) expect(ran).toMatchObject({ code: 0 });
    expect(at.read(own)).toBe(`${include}\n\n${mine}`);
    expect(at.list('.ssh/lanyard').filter((name) => name.endsWith('.conf'))).toHaveLength(20);
  });

  test.each(["we'b", 'web1,web2', '"', 'a\\b'])('rejects %j as a host', async (host) => {
    expect(await at.run(['ssh', 'config', host, '--role', 'deploy'])).toMatchObject({ code: 2, stdout: '' });
  });

  test.each(['it"s', "it's", 'a\nb', 'back\\slash'])('rejects %j as a role or user', async (text) => {
    for (const flag of ['--role', '--user']) {
      expectFailure(await at.run(['ssh', 'config', 'web1', '--role', 'deploy', flag, text]), 2);
      expect(existsSync(at.file('.ssh/lanyard'))).toBe(false);
    }
  });

  test.skipIf(!has('ssh'))('ssh reads the intended values, unusual names included', async () => {
    mkdirSync(at.file('.ssh/lanyard'), { recursive: true });
    const argv = [
      ...words('ssh config web* !web9 --role'),
      'my role $(touch run) 100%',
      ...words('--user ubuntu'),
    ];
    expect(await at.run([...argv, '--out', at.file('odd.conf')])).toMatchObject({ code: 0 });
    const read = async (name: string, host: string) => {
      const env = { ...process.env, ...at.env, HOME: at.path };
      const ran = promisify(execFile)('ssh', ['-G', '-F', at.file(name), host], { cwd: at.path, env });
      ran.child.stdin?.end();
      return (await ran).stdout;
    };
    // The role is not there, so that the check fails and only the user stays.
    expect(await read('odd.conf', 'web1')).toMatch(/^user ubuntu$/m);
    expect(await read('odd.conf', 'web1')).not.toContain('.ssh/lanyard');
    expect(await read('odd.conf', 'web9')).not.toMatch(/^user ubuntu$/m);
    expect(existsSync(at.file('run'))).toBe(false);
    await done('ssh config web1 --role deploy --user ubuntu --out good.conf');
    const found = await read('good.conf', 'web1');
    expect(found).toContain(`certificatefile ${at.file('.ssh/lanyard/deploy-ubuntu-cert.pub')}`);
    expect(found).toContain(`identityfile ${at.file('.ssh/id_ed25519')}`);
  });
});
