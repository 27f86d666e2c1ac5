import { spawn } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { embeddedForAll, homeForTest, servicesForTest } from '../../support/command-tests.ts';
import { eventually } from '../../support/eventually.ts';

const { at } = embeddedForAll();

const done = async (line: string): Promise<void> => {
  expect(await at.run(line.split(' '))).toMatchObject({ code: 0 });
};
const soon = ['--debounce', '50ms', '--interval', '100ms'];

/** Starts `render --watch`. */
function watching(argv: readonly string[], home = at, env: Readonly<Record<string, string>> = {}) {
  const stop = new AbortController();
  let stderr = '';
  const ended = home.run(['render', ...argv, '--watch', ...soon], {
    signal: stop.signal,
    env,
    onStderr: (text) => {
      stderr += text;
    },
  });
  onTestFinished(async () => {
    stop.abort('SIGTERM');
    await ended;
  });
  return {
    stderr: () => stderr,
    /** The file has this text. */
    has: (file: string, text: string) => eventually(() => expect(home.read(file)).toBe(text)),
    says: (text: string) => eventually(() => expect(stderr).toContain(text)),
    async stop(signal = 'SIGTERM') {
      stop.abort(signal);
      return ended;
    },
  };
}

describe('render --watch', () => {
  test('writes the file at each change of a secret, a key, a variable or a service, and runs --exec', async () => {
    await done('kv put secret/w password=one');
    await done('registry kv put w/port 80');
    await done('var put w/db HOST=h1');
    at.write(
      'w.liquid',
      '{{ ("secret/w" | kv).password }} {{ "w/port" | key }} {{ ("w/db" | var).HOST }}{% for i in ("w" | service) %} {{ i.port }}{% else %} none{% endfor %}\n',
    );
    const render = watching(['w.liquid:w.conf', '--exec', 'cat w.conf >> w.log']);
    await render.has('w.conf', 'one 80 h1 none\n');
    await done('kv put secret/w password=two');
    await render.has('w.conf', 'two 80 h1 none\n');
    await done('registry kv put w/port 81');
    await render.has('w.conf', 'two 81 h1 none\n');
    await done('var put w/db HOST=h2 --force');
    await render.has('w.conf', 'two 81 h2 none\n');
    await done('registry service register w --port 1');
    await render.has('w.conf', 'two 81 h2 1\n');
    await eventually(() =>
      expect(at.read('w.log')).toBe(
        'one 80 h1 none\ntwo 80 h1 none\ntwo 81 h1 none\ntwo 81 h2 none\ntwo 81 h2 1\n',
      ),
    );
    expect(await render.stop()).toMatchObject({ code: 143, stdout: '' });
    expect(render.stderr()).toBe(`created w.conf\n${'changed w.conf\n'.repeat(4)}`);
  });

  test('writes only the file that has changed, and keeps it while a value is missing', async () => {
    await done('kv put secret/m a=1 b=1');
    at.write('m1.liquid', '{{ ("secret/m" | kv).a }}');
    at.write('m2.liquid', '{{ ("secret/m" | kv).b }}');
    const render = watching(['m1.liquid:m1.conf', 'm2.liquid:m2.conf']);
    await render.says('created m2.conf');
    await done('kv put secret/m a=2 b=1');
    await render.has('m1.conf', '2');
    await done('kv put secret/m b=2');
    await render.says(
      'warning: cannot render m1.liquid:1:4: no value for ("secret/m" | kv).a; the files are unchanged\n',
    );
    expect([at.read('m1.conf'), at.read('m2.conf')]).toEqual(['2', '1']);
    await done('kv delete secret/m --yes');
    await render.says('secret "secret/m" not found; the files are unchanged\n');
    await done('kv put secret/m a=3 b=3');
    await render.has('m2.conf', '3');
    expect(at.read('m1.conf')).toBe('3');
    expect(await render.stop('SIGINT')).toMatchObject({ code: 130 });
    expect(render.stderr().match(/^changed m2\.conf$/gm)).toHaveLength(1);
  });

  test('follows values whose names are values', async () => {
    await done('registry kv put names/a x');
    await done('registry kv put val/x 1');
    await done('registry kv put val/y 2');
    at.write('n.liquid', '{% assign name = "names/a" | key | prepend: "val/" %}{{ name | key }}');
    const render = watching(['n.liquid:n.conf']);
    await render.has('n.conf', '1');
    await done('registry kv put names/a y');
    await render.has('n.conf', '2');
    await done('registry kv put val/y 3');
    await render.has('n.conf', '3');
    expect(await render.stop()).toMatchObject({ code: 143 });
  });

  test('a command of --exec that fails is a warning', async () => {
    await done('registry kv put ex 1');
    at.write('ex.liquid', '{{ "ex" | key }}');
    const render = watching(['ex.liquid:ex.conf', '--exec', 'exit 7']);
    await render.says(
      'warning: the command of --exec failed with exit code 7; it is repeated at the next change\n',
    );
    await done('registry kv put ex 2');
    await render.has('ex.conf', '2');
    expect(await render.stop()).toMatchObject({ code: 143 });
  });

  test('signals a process', async () => {
    const child = spawn('sh', [
      '-c',
      'trap "echo hup; exit 0" HUP; echo ready; while :; do sleep 0.05; done',
    ]);
    onTestFinished(() => void child.kill('SIGKILL'));
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    await eventually(() => expect(stdout).toBe('ready\n'));
    at.write('child.pid', `${child.pid}\n`);
    at.write('sig.liquid', 'x');
    const render = watching(['sig.liquid:sig.conf', '--signal', 'HUP', '--pid-file', 'child.pid']);
    await eventually(() => expect(stdout).toBe('ready\nhup\n'));
    expect(await render.stop()).toMatchObject({ code: 143 });
  });

  test('the first error ends it, and a later one of the services does not', async () => {
    const own = homeForTest();
    const first = await servicesForTest(own);
    own.write('r.liquid', '{{ "r" | key }} {{ ("secret/r" | kv).v }}');
    expect(await watching(['r.liquid:r.conf'], own).stop('SIGTERM')).not.toMatchObject({ code: 0 });
    expect(await own.run(['render', 'r.liquid:r.conf', '--watch'])).toMatchObject({ code: 3 });
    await own.run(['registry', 'kv', 'put', 'r', '1']);
    await own.run(['kv', 'put', 'secret/r', 'v=1']);
    const render = watching(['r.liquid:r.conf'], own);
    await render.has('r.conf', '1 1');
    await first.close();
    await render.says('; retrying\n');
    expect(own.read('r.conf')).toBe('1 1');
    expect(await render.stop()).toMatchObject({ code: 143 });
  });

  test('a revoked token is a warning, and the file is unchanged', async () => {
    await done('kv put secret/rev v=1');
    const created = await at.run('secrets token create --policy root --field client_token'.split(' '));
    const token = created.stdout.trim();
    at.write('rev.liquid', '{{ ("secret/rev" | kv).v }}');
    const render = watching(['rev.liquid:rev.conf'], at, { LANYARD_SECRETS_TOKEN: token });
    await render.has('rev.conf', '1');
    expect(
      await at.run(['secrets', 'token', 'revoke', 'env://REVOKED', '--yes'], { env: { REVOKED: token } }),
    ).toMatchObject({ code: 0 });
    await done('kv put secret/rev v=2');
    await render.says('; retrying\n');
    expect(at.read('rev.conf')).toBe('1');
    expect(await render.stop()).toMatchObject({ code: 143 });
  });

  test('watches a path of the secrets service', async () => {
    await done('ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8');
    at.write('lease.liquid', '{{ ("ssh/roles/otp" | read).key_type }}');
    const render = watching(['lease.liquid:lease.conf']);
    await render.has('lease.conf', 'otp');
    expect(await render.stop()).toMatchObject({ code: 143 });
  });
});
