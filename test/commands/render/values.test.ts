import { describe, expect, test } from 'vitest';
import { embeddedForAll } from '../../support/command-tests.ts';

const { at, running } = embeddedForAll();

const done = async (...argv: readonly string[]): Promise<string> => {
  const ran = await at.run(argv);
  expect(ran).toMatchObject({ code: 0 });
  return ran.stdout;
};
const line = (text: string): Promise<string> => done(...text.split(' '));

/** Renders a template from standard input to standard output. */
const render = (template: string, ...flags: readonly string[]) =>
  at.run(['render', '-', ...flags], { stdin: template });
const textOf = async (template: string): Promise<string> => {
  const ran = await render(template);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  return ran.stdout;
};

describe('values', () => {
  test('of key-value secrets of both versions, and of an older version', async () => {
    await line('secrets mount enable kv --path kv1');
    await line('kv put kv1/app/db user=one');
    await line('kv put secret/app/db user=old n=1');
    await line('kv put secret/app/db user=new');
    expect(
      await textOf(
        '{{ ("kv1/app/db" | kv).user }} {{ ("secret/app/db" | kv).user }} {{ ("secret/app/db" | kv: version: 1).user }}',
      ),
    ).toBe('one new old');
  });

  test('of any path of the secrets service', async () => {
    await line('kv put secret/raw user=x');
    expect(await textOf('{{ ("secret/data/raw" | read).data.user }}')).toBe('x');
    expect(await textOf('{{ ("secret/data/raw?version=1" | read).metadata.version }}')).toBe('1');
  });

  test('of keys, and of the keys below a prefix without folders', async () => {
    await line('registry kv put web/port 80');
    await line('registry kv put web/mode/debug on');
    await line('registry kv put web/folder/ -- ');
    expect(await textOf('{{ "web/port" | key }}')).toBe('80');
    expect(await textOf('{% for k in ("web/" | keys) %}{{ k.name }}={{ k.value }};{% endfor %}')).toBe(
      'mode/debug=on;port=80;',
    );
  });

  test('of the healthy instances of a service, sorted by node and ID', async () => {
    for (const id of ['b', 'a'])
      await line(`registry service register api --id ${id} --port 80 --tag ${id} --meta zone=z${id}`);
    await line('registry service register api --id sick --port 81 --meta zone=z --check-ttl 1h');
    const template = (options: string) =>
      `{% for i in ("api" | service${options}) %}{{ i.id }} {{ i.port }} {{ i.meta.zone }} {{ i.tags | join: "," }} {{ i.status }};{% endfor %}`;
    expect(await textOf(template(''))).toBe('a 80 za a passing;b 80 zb b passing;');
    expect(await textOf(template(': all: true'))).toContain(';sick 81 z  critical;');
    expect(await textOf(template(': tag: "b"'))).toBe('b 80 zb b passing;');
    expect(await textOf(template(`: filter: 'Service.ID == "a"'`))).toBe('a 80 za a passing;');
  });

  test('of scheduler variables, and of the environment', async () => {
    await line('var put app/db HOST=db1 PORT=5432');
    expect(await textOf('{% assign db = "app/db" | var %}{{ db.HOST }}:{{ db.PORT }}')).toBe('db1:5432');
    expect(
      await at.run(['render', '-'], { stdin: '{{ "REGION" | env }}', env: { REGION: 'eu' } }),
    ).toMatchObject({ code: 0, stdout: 'eu' });
  });

  test('with newlines, quotes and large numbers, unchanged', async () => {
    const value = 'a "b"\n\'c\' \\ $d\té\u0001';
    at.write(
      'odd.json',
      JSON.stringify({ value, list: [1, null], big: 0 }).replace('"big":0', '"big":12345678901234567890'),
    );
    await done('kv', 'put', 'secret/odd', '--in', 'odd.json');
    expect(await textOf('{{ ("secret/odd" | kv).value }}')).toBe(value);
    expect(await textOf('{{ ("secret/odd" | kv) | json }}')).toBe(
      `{"value":${JSON.stringify(value)},"list":[1,null],"big":12345678901234567890}`,
    );
  });
});

describe('errors', () => {
  test.each([
    ['{{ ("secret/none" | kv).x }}', 3, 'secret "secret/none" not found'],
    ['{{ ("nomount/x" | kv).x }}', 3, 'key-value engine not found at nomount/'],
    ['{{ ("secret" | kv).x }}', 2, 'invalid path "secret": expected a secret, not a mount'],
    ['{{ "none" | key }}', 3, 'key "none" not found'],
    ['{% for k in ("none/" | keys) %}{% endfor %}', 3, 'no keys with the prefix "none/"'],
    ['{% for i in ("none" | service) %}{% endfor %}', 3, 'service "none" has no healthy instances'],
    [
      '{% for i in ("none" | service: tag: "x", all: true) %}{% endfor %}',
      3,
      'service "none" has no instances that match',
    ],
    ['{{ ("none" | var).x }}', 3, 'variable "none" not found'],
    ['{{ ("a//b" | var).x }}', 2, 'invalid variable path "a//b": empty segment'],
    ['{{ "NONE" | env }}', 3, 'environment variable "NONE" is not set'],
    ['{{ ("secret/none" | read).x }}', 3, 'path "secret/none" not found'],
    ['{{ "x" | key: datacenter: "dc1" }}', 2, 'the filter "key" has no option "datacenter": expected dc'],
    ['{{ ("x" | var: dc: "dc1").y }}', 2, 'the filter "var" has no options'],
    ['{{ ("x" | kv: version: "1").y }}', 2, 'invalid version of the filter "kv": expected a number'],
    ['{{ "" | key }}', 2, 'the filter "key" requires a name'],
  ])('%s', async (template, code, cause) => {
    const ran = await render(template);
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(ran.stderr.split('\n')[0]).toMatch(/^error: cannot render standard input:1:\d+: /);
    expect(ran.stderr.split('\n')[0]).toContain(cause);
  });

  test('a key whose value is not text, and a deleted version', async () => {
    at.write('binary', Buffer.from([0xff, 0xfe]));
    await line('registry kv put binary @binary');
    expect(await render('{{ "binary" | key }}')).toMatchObject({
      code: 2,
      stderr: 'error: cannot render standard input:1:1: the value of key "binary" is not UTF-8 text\n',
    });
    await line('kv put secret/deleted a=1');
    await line('kv delete secret/deleted --yes');
    const deleted = await render('{{ ("secret/deleted" | kv).a }}');
    expect(deleted.code).toBe(3);
    expect(deleted.stderr).toMatch(
      /: version 1 of secret "secret\/deleted" was deleted at .*\nhint: Run `lanyard kv undelete/,
    );
  });

  test('a token without permission for one of the values: no default replaces it', async () => {
    await line('kv put secret/open/a v=1');
    await line('kv put secret/closed/a v=2');
    at.write('open.hcl', 'path "secret/data/open/*" { capabilities = ["read"] }');
    await line('secrets policy put open @open.hcl');
    const token = (await line('secrets token create --policy open --field client_token')).trim();
    const ran = await at.run(['render', '-'], {
      stdin: '{{ ("secret/open/a" | kv).v }}\n{{ ("secret/closed/a" | kv).v | default: "x" }}',
      env: { LANYARD_SECRETS_TOKEN: token },
    });
    expect(ran).toMatchObject({ code: 5, stdout: '' });
    expect(ran.stderr).toMatch(
      /^error: cannot render standard input:2:4: cannot read secret: permission denied/,
    );
  });

  test('a service that is not reachable', async () => {
    const ran = await at.run(['render', '-'], {
      stdin: '{{ "a" | key }}',
      env: { LANYARD_REGISTRY_ADDR: 'http://127.0.0.1:1' },
      random: (length) => new Uint8Array(length),
    });
    expect(ran).toMatchObject({ code: 7, stdout: '' });
  });
});

test('reads each value once', async () => {
  await line('kv put secret/once a=1 b=2');
  const log = at.file('debug.log');
  const template =
    '{% assign s = "secret/once" | kv %}{{ s.a }}{{ ("secret/once" | kv).b }}{{ ("secret/once" | kv).b }}';
  expect(await render(template, '--debug', log)).toMatchObject({ code: 0, stdout: '122' });
  expect(at.read('debug.log').match(/secret\/data\/once/g)?.length).toBe(1);
});

test('2,000 instances of a service', async () => {
  const register = Array.from({ length: 2000 }, (_, index) => index);
  for (const index of register)
    await fetch(`${running.addresses.registry}/v1/agent/service/register`, {
      method: 'PUT',
      body: JSON.stringify({ Name: 'many', ID: `many-${String(index).padStart(4, '0')}`, Port: index + 1 }),
    });
  const text = await textOf('{% for i in ("many" | service) %}{{ i.id }}:{{ i.port }}\n{% endfor %}');
  expect(text.split('\n')).toHaveLength(2001);
  expect(text.startsWith('many-0000:1\nmany-0001:2\n')).toBe(true);
});
