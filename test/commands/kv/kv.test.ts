import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure } from '../../support/command-tests.ts';
import { has } from '../../support/require.ts';

const { at, run, done } = embeddedForAll();
const json = async (line: string) => JSON.parse(await done(`${line} -o json`));
const file = (name: string, text: string): void => writeFileSync(join(at.path, name), text);

beforeAll(async () => {
  for (const [path, version] of [
    ['team/kv', '2'],
    ['plain', '1'],
  ]) {
    file('mount.json', JSON.stringify({ type: 'kv', options: { version } }));
    await done(`secrets write sys/mounts/${path} --in mount.json`);
  }
});

describe.each([
  ['version 1', 'plain', 'Wrote plain/', 'plain/'],
  ['version 2', 'team/kv', 'Wrote version 1 of team/kv/', 'team/kv/data/'],
])('a secret in an engine of %s', (_version, mount, wrote, sent) => {
  test('is written from pairs, files and standard input, and read back', async () => {
    file('password', 's3cr=t\n');
    const stdout = await done(`kv put ${mount}/app/db user=app password=@password note=-`, {
      stdin: 'two\nlines\n',
    });
    expect(stdout).toBe(`${wrote}app/db.\n`);
    expect(await done(`kv get ${mount}/app/db`)).toBe('user\tapp\npassword\ts3cr=t\\n\nnote\ttwo\\nlines\n');
    expect(await done(`kv get ${mount}/app/db --field note`)).toBe('two\nlines\n');
    expect(await done(`kv get ${mount}/app/db -o env`)).toBe(
      "user='app'\npassword='s3cr=t\n'\nnote='two\nlines'\n",
    );
    expect(await done(`kv get --mount ${mount} app/db --field user`)).toBe('app\n');
  });

  test('keeps JSON of every type, long integers and names with special characters', async () => {
    const text = '{"n":9007199254740993,"list":[1,{"a":null}],"__proto__":"x","constructor":"y","":"z"}';
    await done(`kv put ${mount}/odd --in - user=app`, { stdin: text });
    const stdout = await done(`kv get ${mount}/odd -o jsonl`);
    expect(JSON.parse(stdout).list).toEqual([1, { a: null }]);
    expect(stdout).toContain('"n":9007199254740993');
    expect(Object.keys(JSON.parse(stdout)).sort()).toEqual([
      ...['', '__proto__', 'constructor', 'list', 'n', 'user'],
    ]);
  });

  test('has the content of a file exactly, and of standard input all but one line break', async () => {
    for (const text of ['', '\n', 'a\r\n\n', '\uFEFFb\0']) {
      file('exact', text);
      await done(`kv put ${mount}/exact file=@exact input=-`, { stdin: `${text}\n` });
      const { data } = await json(`kv get ${mount}/exact`);
      expect(mount === 'plain' ? data : data.data).toEqual({ file: text, input: text });
    }
  });

  test('may have pairs named like fields of a response', async () => {
    const names = ['auth', 'renewable', 'warnings', 'lease_id', 'request_id', 'data', 'mount_type'];
    await done(`kv put ${mount}/names ${names.map((name) => `${name}=my-${name}`).join(' ')}`);
    for (const name of names)
      expect(await done(`kv get ${mount}/names --field ${name}`)).toBe(`my-${name}\n`);
    expect(await done(`kv get ${mount}/names --field lease_duration`)).toMatch(/^\d+\n$/);
    expect((await run(`kv get ${mount}/names --field none`)).stderr).toContain(
      'fields of the response: auth, renewable,',
    );
  });

  test('is shown as a table on a terminal', async () => {
    await done(`kv put ${mount}/shown user=app`);
    expect((await run(`kv get ${mount}/shown --no-color`, { columns: 60 })).stdout).toBe(
      'KEY   VALUE\nuser  app\n',
    );
  });

  test('that is not there is not found', async () => {
    expect(await run(`kv get ${mount}/nowhere`)).toEqual({
      code: 3,
      stdout: '',
      stderr: `error: secret "${mount}/nowhere" not found\nhint: Run \`lanyard kv list ${mount}\` for the existing secrets.\n`,
    });
  });

  test('is listed with its directories, and below them', async () => {
    await done(`kv put ${mount}/tree/a k=v`);
    await done(`kv put ${mount}/tree/b/c k=v`);
    await done(`kv put ${mount}/tree/b/d/e k=v`);
    expect(await done(`kv list ${mount}/tree`)).toBe('a\nb/\n');
    expect(await done(`kv list ${mount}/tree/`)).toBe('a\nb/\n');
    expect(await done(`kv list ${mount}/tree --recursive`)).toBe(
      ['a', 'b/c', 'b/d/e'].map((key) => `${mount}/tree/${key}\n`).join(''),
    );
    expect(await done(`kv list tree -o jsonl --recursive --mount ${mount}`)).toBe(
      '"tree/a"\n"tree/b/c"\n"tree/b/d/e"\n',
    );
    expect(await done(`kv list ${mount}`)).toContain('tree/\n');
    expect(await done(`kv list --mount ${mount}`)).toContain('tree/\n');
    expect(await json(`kv list ${mount}/tree`)).toMatchObject({ data: { keys: ['a', 'b/'] } });
  });

  test('in a directory with nothing is no row, and no failure', async () => {
    expect(await run(`kv list ${mount}/empty`)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await run(`kv list ${mount}/empty --recursive`)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await json(`kv list ${mount}/empty`)).toEqual({ data: { keys: [] } });
  });

  test('is not shown by a dry run of its write, which names the path that would be written', async () => {
    for (const flag of ['--dry-run', '--curl', '--dry-run -o json']) {
      const stdout = await done(`kv put ${mount}/dry user=hidden-one password=- ${flag}`, {
        stdin: 'hidden-two',
      });
      expect(stdout).toContain(`/v1/${sent}dry`);
      expect(stdout).toContain('<redacted>');
      expect(stdout).not.toContain('hidden');
    }
    expect((await run(`kv get ${mount}/dry`)).code).toBe(3);
  });

  test('is not in the output of --verbose', async () => {
    const put = await run(`kv put ${mount}/verbose k=- --verbose`, { stdin: 'hunter22' });
    const get = await run(`kv get ${mount}/verbose --verbose`);
    expect(put.stderr + get.stderr).toContain('/verbose');
    expect(put.stderr + get.stderr + put.stdout).not.toContain('hunter22');
  });

  test('has a curl line that reads it, not the question for its mount', async () => {
    expect(await done(`kv get ${mount}/app/db --curl`)).toMatch(new RegExp(`/v1/${sent}app/db\n$`));
  });

  test('is masked in the log of a CI service before it is shown', async () => {
    await done(`kv put ${mount}/ci password=hunter22`);
    const ran = await run(`kv get ${mount}/ci`, { env: { GITHUB_ACTIONS: 'true' } });
    expect(ran).toMatchObject({ code: 0, stdout: 'password\thunter22\n' });
    expect(ran.stderr).toBe('::add-mask::hunter22\n');
  });
});

describe('an engine of version 1', () => {
  test('deletes permanently, after a prompt', async () => {
    await done('kv put plain/gone k=v');
    expect((await run('kv delete plain/gone')).code).toBe(2);
    expect(await done('kv delete plain/gone --yes')).toBe('Deleted plain/gone, if it existed.\n');
    expect((await run('kv get plain/gone')).code).toBe(3);
  });

  test.each([
    'kv get plain/app --version 1',
    'kv put plain/app k=v --cas 1',
    'kv patch plain/app k=v',
    'kv delete plain/app --versions 1 --yes',
    'kv undelete plain/app --versions 1',
    'kv destroy plain/app --versions 1 --yes',
    'kv rollback plain/app --version 1',
    'kv metadata get plain/app',
    'kv metadata put plain/app --max-versions 1',
    'kv metadata delete plain/app --yes',
    'kv config get plain',
    'kv config put plain --max-versions 1',
  ])('rejects "%s"', async (line) => {
    expectFailure(await run(line), 2, /plain\/[:,] a key-value engine of version 1/);
  });
});

describe.skipIf(!has('curl'))('a curl line, run by a shell', () => {
  const shell = async (line: string): Promise<string> => {
    const { LANYARD_SECRETS_TOKEN = '', PATH = '' } = at.env;
    const env = { LANYARD_SECRETS_TOKEN, PATH };
    return (await promisify(execFile)('sh', ['-c', `${line} --silent --fail-with-body`], { env })).stdout;
  };

  test.each([['plain'], ['team/kv']])('does what the command does in %s', async (mount) => {
    const put = await done(`kv put ${mount}/curl k=v --curl`);
    expect(put).toContain('# replace <redacted> with the secret\n');
    await shell(put.trimEnd().replaceAll('<redacted>', 'pasted'));
    expect(await done(`kv get ${mount}/curl`)).toBe('k\tpasted\n');
    const get = await done(`kv get ${mount}/curl --curl`);
    const { data } = JSON.parse(await shell(get.trimEnd()));
    expect(data).toEqual((await json(`kv get ${mount}/curl`)).data);
    const list = await done(`kv list ${mount} --curl`);
    expect(JSON.parse(await shell(list.trimEnd())).data.keys).toContain('curl');
  });

  test('patches, deletes and undeletes', async () => {
    await done('kv put team/kv/pasted a=1 b=2');
    for (const line of [
      'kv patch team/kv/pasted b=3',
      'kv delete team/kv/pasted --versions 2',
      'kv undelete team/kv/pasted --versions 2',
      'kv metadata put team/kv/pasted --max-versions 5',
      'kv config put team/kv --max-versions 9',
    ]) {
      await shell((await done(`${line} --curl`)).trimEnd().replaceAll('<redacted>', '3'));
    }
    expect(await done('kv get team/kv/pasted')).toBe('a\t1\nb\t3\n');
    expect((await json('kv metadata get team/kv/pasted')).data.max_versions).toBe(5);
    expect((await json('kv config get team/kv')).data.max_versions).toBe(9);
  });
});

describe('versions', () => {
  test('are stored, and read by their number', async () => {
    await done('kv put team/kv/v k=one');
    expect(await done('kv put team/kv/v k=two')).toBe('Wrote version 2 of team/kv/v.\nk\tchanged\n');
    expect(await done('kv get team/kv/v --version 1')).toBe('k\tone\n');
    expect(await done('kv get team/kv/v')).toBe('k\ttwo\n');
    expect(await json('kv get team/kv/v')).toMatchObject({
      data: { data: { k: 'two' }, metadata: { version: 2 } },
    });
    expect((await run('kv get team/kv/v --version 7')).code).toBe(3);
  });

  test('are written only where --cas is the current one', async () => {
    await done('kv put team/kv/cas k=one --cas 0');
    for (const cas of [0, 2]) {
      const ran = await run(`kv put team/kv/cas k=two --cas ${cas}`);
      expectFailure(ran, 6, 'check-and-set parameter did not match the current version');
      expect(ran.stderr).toContain('hint: Read the current version');
    }
    await done('kv put team/kv/cas k=two --cas 1');
    expect((await run('kv patch team/kv/cas k=three --cas 1')).code).toBe(6);
    expect(await done('kv patch team/kv/cas k=three --cas 2')).toContain('version 3');
  });

  test('change in part by a patch', async () => {
    await done('kv put team/kv/patch --in -', { stdin: '{"a":"1","b":"2","deep":{"x":1,"y":2}}' });
    await done('kv patch team/kv/patch --in -', { stdin: '{"b":null,"deep":{"y":3}}' });
    await done('kv patch team/kv/patch a=new');
    expect(JSON.parse(await done('kv get team/kv/patch -o jsonl'))).toEqual({
      a: 'new',
      deep: { x: 1, y: 3 },
    });
    expect((await run('kv patch team/kv/nowhere a=b')).code).toBe(3);
  });

  test('that are deleted are not found: the error has the time and how to restore them', async () => {
    await done('kv put team/kv/del k=v');
    expect(await done('kv delete team/kv/del')).toBe(
      'Deleted the latest version of team/kv/del. To restore it, run "lanyard kv undelete".\n',
    );
    const ran = await run('kv get team/kv/del');
    expect(ran).toMatchObject({ code: 3, stdout: '' });
    expect(ran.stderr).toMatch(
      /^error: version 1 of secret "team\/kv\/del" was deleted at \d{4}-\S+ \S+ UTC\nhint: Run `lanyard kv undelete --versions 1 team\/kv\/del` to restore it\.\n$/,
    );
    expect((await run('kv patch team/kv/del k=w')).stderr).toContain('was deleted at');
    await done('kv undelete --versions 1 team/kv/del');
    expect(await done('kv get team/kv/del')).toBe('k\tv\n');
  });

  test('are deleted and destroyed by their numbers', async () => {
    for (const value of ['1', '2', '3']) await done(`kv put team/kv/many k=${value}`);
    await done('kv delete team/kv/many --versions 1,2');
    expect((await run('kv get team/kv/many --version 2')).code).toBe(3);
    expect(await done('kv get team/kv/many')).toBe('k\t3\n');
    expect((await run('kv destroy team/kv/many --versions 1')).code).toBe(2);
    expect(await done('kv destroy team/kv/many --versions 1 --yes')).toBe(
      'Destroyed version 1 of team/kv/many.\n',
    );
    const ran = await run('kv get team/kv/many --version 1');
    expectFailure(ran, 3, 'version 1 of team/kv/many is destroyed and cannot be restored');
    const stdout = await done('kv metadata get team/kv/many');
    expect(stdout).toMatch(/^name\tteam\/kv\/many\n/);
    expect(stdout).toMatch(
      /\n3\t\S+ \S+ UTC\tavailable\n2\t\S+ \S+ UTC\tdeleted at .*\n1\t\S+ \S+ UTC\tdestroyed\n$/,
    );
  });

  test('are rolled back: the data is written as a new version', async () => {
    for (const value of ['1', '9007199254740993'])
      await done('kv put team/kv/back --in -', { stdin: `{"k":${value}}` });
    await done('kv put team/kv/back k=3');
    expect(await done('kv rollback team/kv/back --version 2')).toBe(
      'Rolled back team/kv/back to version 2, written as version 4.\n',
    );
    expect(await done('kv get team/kv/back -o jsonl')).toBe('{"k":9007199254740993}\n');
    expect(await done('kv get team/kv/back --version 3')).toBe('k\t3\n');
    expect(await json('kv rollback --mount team/kv back --version 1')).toMatchObject({
      data: { version: 5 },
    });
    expect(await done('kv rollback team/kv/back --version 5')).toBe(
      'Version 5 of team/kv/back is the current version; nothing was written.\n',
    );
    expect(await done('kv rollback team/kv/back --version 3 --dry-run')).toContain('"cas": 5');
    expect((await json('kv metadata get team/kv/back')).data.current_version).toBe(5);
  });

  test('are rolled back from a deleted current version', async () => {
    for (const value of ['1', '2']) await done(`kv put team/kv/undo k=${value}`);
    await done('kv delete team/kv/undo');
    expect(await done('kv rollback team/kv/undo --version 1')).toContain('written as version 3');
    expect(await done('kv get team/kv/undo')).toBe('k\t1\n');
  });

  test.each([
    ['', 2, 'missing flag --version'],
    ['--version 0', 2, 'invalid --version 0'],
    ['--version x', 2, '--version'],
    ['--version 1', 3, 'version 1 of team/kv/gone is destroyed and cannot be restored'],
    ['--version 2', 3, 'version 2 of secret "team/kv/gone" was deleted at'],
    ['--version 9', 3, 'version 9 of secret "team/kv/gone" not found'],
  ])('are not rolled back with "%s"', async (flags, code, message) => {
    if ((await run('kv metadata get team/kv/gone')).code === 3) {
      for (const value of ['1', '2']) await done(`kv put team/kv/gone k=${value}`);
      await done('kv destroy team/kv/gone --versions 1 --yes');
      await done('kv delete team/kv/gone --versions 2');
    }
    expectFailure(await run(`kv rollback team/kv/gone ${flags}`.trim()), code, message);
    expect((await json('kv metadata get team/kv/gone')).data.current_version).toBe(2);
  });

  test.each(['', ' --versions 0', ' --versions x', ' --versions ,'])(
    'that are not named are prompted for: "kv destroy%s"',
    async (flags) => {
      expect((await run(`kv destroy team/kv/many${flags} --yes`)).code).toBe(2);
    },
  );
});

describe('metadata', () => {
  test('is patched, read, and deleted with every version after a prompt', async () => {
    await done('kv put team/kv/meta k=v');
    await done(
      'kv metadata put team/kv/meta --max-versions 2 --cas-required true --delete-version-after 90m --custom-metadata owner=ops',
    );
    await done('kv metadata put team/kv/meta --max-versions 3');
    expect((await json('kv metadata get team/kv/meta')).data).toMatchObject({
      max_versions: 3,
      cas_required: true,
      delete_version_after: '1h30m0s',
      custom_metadata: { owner: 'ops' },
      current_version: 1,
    });
    const rejected = await run('kv put team/kv/meta k=w');
    expectFailure(rejected, 6, 'hint: Set the current version with --cas ');
    expect(rejected.stderr).toContain('check-and-set parameter required for this call');
    expect((await run('kv metadata delete team/kv/meta')).code).toBe(2);
    await done('kv metadata delete team/kv/meta --yes');
    expect((await run('kv metadata get team/kv/meta')).code).toBe(3);
  });

  test('secrets patch removes one key of the custom metadata and keeps the others', async () => {
    await done('kv put team/kv/custom k=v');
    await done('kv metadata put team/kv/custom --custom-metadata owner=ops --custom-metadata ticket=7');
    at.write('metadata.json', '{"custom_metadata": {"ticket": null}}');
    await done('secrets patch team/kv/metadata/custom --in metadata.json');
    expect((await json('kv metadata get team/kv/custom')).data.custom_metadata).toEqual({ owner: 'ops' });
  });

  test('needs something to write', async () => {
    expect((await run('kv metadata put team/kv/meta')).code).toBe(2);
  });
});

describe('the configuration of a mount', () => {
  test('is read and changed in part', async () => {
    await done('kv config put team/kv --max-versions 7');
    await done('kv config put team/kv/ --delete-version-after 0s');
    const stdout = await done('kv config get team/kv');
    expect(stdout).toMatch(/^mount\tteam\/kv\/\n/);
    expect(stdout).toContain('max_versions\t7\n');
    expect(stdout).toContain('cas_required\tfalse\n');
    expect((await run('kv config put team/kv')).code).toBe(2);
  });
});

describe('a missing secret is not reported as done', () => {
  beforeAll(async () => {
    await done('kv put team/kv/three k=1');
    await done('kv put team/kv/three k=2');
    await done('kv put team/kv/three k=3');
    await done('kv destroy team/kv/three --versions 1 --yes');
    await done('kv metadata put team/kv/empty --custom-metadata a=b');
  });

  test.each([
    ['kv delete team/kv/none', 'secret "team/kv/none" not found'],
    ['kv delete team/kv/none --versions 1', 'secret "team/kv/none" not found'],
    ['kv undelete team/kv/none --versions 1', 'secret "team/kv/none" not found'],
    ['kv rollback team/kv/none --version 1', 'secret "team/kv/none" not found'],
    ['kv destroy team/kv/none --versions 1 --yes', 'secret "team/kv/none" not found'],
    [
      'kv delete team/kv/empty',
      'no version of secret "team/kv/empty" exists\nhint: Run `lanyard kv put` to write one.',
    ],
    [
      'kv delete team/kv/three --versions 9',
      'version 9 of secret "team/kv/three" not found\nhint: Choose one of 1, 2, 3; ',
    ],
    ['kv undelete team/kv/three --versions 8,9', 'version 8, 9 of secret "team/kv/three" not found'],
    ['kv undelete team/kv/three --versions 1', 'version 1 of team/kv/three is destroyed'],
    ['kv destroy team/kv/three --versions 9 --yes', 'version 9 of secret "team/kv/three" not found'],
    [
      'kv get team/kv/three --version 9',
      'version 9 of secret "team/kv/three" not found\nhint: Choose one of 1, 2, 3; ',
    ],
    ['kv get team/kv/none --version 9', 'secret "team/kv/none" not found'],
  ])('%s', async (line, text) => {
    expectFailure(await run(line), 3, `error: ${text}`);
  });

  test('in part is reported so', async () => {
    const ran = await run('kv delete team/kv/three --versions 3,9');
    expectFailure(ran, 9, 'version 9 of secret "team/kv/three" not found; applied to version 3\n');
  });

  test('for a token that may not read is reported', async () => {
    file(
      'policy.json',
      JSON.stringify({
        policy:
          'path "team/kv/data/*" { capabilities = ["delete", "read"] } path "team/kv/delete/*" { capabilities = ["update"] }',
      }),
    );
    await done('secrets write sys/policies/acl/blind --in policy.json');
    file('token.json', '{"policies":["blind"]}');
    const made = await done('secrets write auth/token/create --in token.json -o json');
    const { client_token: token } = JSON.parse(made).auth;
    expect(await run('kv delete team/kv/none', { env: { LANYARD_SECRETS_TOKEN: token } })).toMatchObject({
      code: 0,
      stdout:
        'Deleted the latest version of team/kv/none, if it existed. To restore it, run "lanyard kv undelete".\n',
    });
    const got = await run('kv get team/kv/three --version 9', { env: { LANYARD_SECRETS_TOKEN: token } });
    expectFailure(got, 3, 'version 9 of secret "team/kv/three" not found\nhint: Run `lanyard kv get ');
  });
});

describe('a flag', () => {
  test.each([
    ['kv metadata put team/kv/a --custom-metadata bad', 'invalid --custom-metadata "bad": expected K=V'],
    ['kv metadata put team/kv/a --custom-metadata a=1 --custom-metadata a=2', 'conflicting values for "a"'],
    ['kv get --mount= a', '--mount MOUNT must not be empty'],
  ])('is rejected: %s', async (line, text) => {
    expectFailure(await run(line), 2, text);
  });

  test('may be given twice with the same value', async () => {
    await done('kv metadata put team/kv/same --custom-metadata a=1 --custom-metadata a=1');
    expect((await json('kv metadata get team/kv/same')).data.custom_metadata).toEqual({ a: '1' });
  });
});

test('a key-value engine has no version 3', async () => {
  file('mount.json', JSON.stringify({ type: 'kv', options: { version: '3' } }));
  const ran = await run('secrets write sys/mounts/third --in mount.json');
  expectFailure(ran, 1, 'invalid version "3" of a key-value engine: expected "1" or "2"');
  expect((await run('secrets read sys/mounts/third')).code).toBe(1);
});

test('of secret and mount, the setting that keeps more versions applies', async () => {
  file('mount.json', JSON.stringify({ type: 'kv', options: { version: '2' } }));
  await done('secrets write sys/mounts/kept --in mount.json');
  await done('kv config put kept --max-versions 3');
  await done('kv metadata put kept/a --max-versions 2');
  for (const value of [1, 2, 3, 4]) await done(`kv put kept/a k=${value}`);
  expect(Object.keys((await json('kv metadata get kept/a')).data.versions)).toEqual(['2', '3', '4']);
  expect((await done('kv config put --help')).replace(/\s+/g, ' ')).toContain(
    'the larger of secret and mount applies',
  );
});

describe('a path', () => {
  test('of another engine is rejected', async () => {
    const ran = await run('kv delete ssh/roles/deploy --yes');
    expectFailure(ran, 2, 'ssh/ has type ssh, not key-value', 'hint: Use "lanyard secrets read"');
  });

  test('that is a mount is no secret', async () => {
    expect((await run('kv get team/kv')).stderr).toContain(
      'invalid path "team/kv": expected a secret, not a mount',
    );
  });

  test.each(['kv get nowhere/app', 'kv put nowhere/app a=b', 'kv list nowhere'])(
    'without a mount is not found if the token may see the mounts: %s',
    async (line) => {
      expect(await run(line)).toEqual({
        code: 3,
        stdout: '',
        stderr:
          'error: key-value engine not found at nowhere/\nhint: Run `lanyard secrets mount list` for the mounted engines.\n',
      });
    },
  );

  test('without a mount is not authenticated with an unknown token', async () => {
    expectFailure(await run('kv get nowhere/app', { env: { LANYARD_SECRETS_TOKEN: 'missing' } }), 4);
  });
});

describe('a namespace', () => {
  test('may be in the path, in the header, or in both', async () => {
    file('mount.json', JSON.stringify({ type: 'kv', options: { version: '2' } }));
    for (const [parent, name] of [
      ['', 'ns1'],
      ['ns1/', 'secret'],
    ]) {
      expect((await run(`api secrets POST ${parent}sys/namespaces/${name}`)).code).toBe(0);
    }
    await done('secrets write sys/mounts/secret --in mount.json -n ns1/secret');
    await done('kv put secret/a x=1 -n ns1/secret');
    for (const line of ['ns1/secret/secret/a', 'secret/secret/a -n ns1', 'secret/a -n ns1/secret'])
      expect(await done(`kv get ${line} --field x`)).toBe('1\n');
    await done('kv put ns1/secret/secret/b x=2');
    expect(await done('kv list ns1/secret/secret')).toBe('a\nb\n');
    expect(await done('kv get b --mount ns1/secret/secret --field x')).toBe('2\n');
    const ran = await run('kv get ns1/secret/nope/a');
    expectFailure(ran, 3, 'key-value engine not found at ns1/secret/nope/\n');
  });
});
