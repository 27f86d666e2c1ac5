import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Boxes, boxes } from './registry.ts';

let service: Boxes;
beforeEach(async () => {
  service = await boxes();
});
afterEach(() => service.close());

describe('box create', () => {
  test('creates a private box unless --public is given', async () => {
    const { code, stdout } = await service.run('box create dev/web');
    expect([code, stdout]).toEqual([0, 'Created box dev/web.\n']);
    await service.run('box create dev/open --public');

    expect(await service.json('box get dev/web')).toMatchObject({ tag: 'dev/web', private: true });
    expect(await service.json('box get dev/open')).toMatchObject({ private: false });
  });

  test('returns the box as sent by the service', async () => {
    const created = await service.json('box create acme/web --short-description nginx --private');
    expect(created).toMatchObject({ tag: 'acme/web', short_description: 'nginx', current_version: null });
  });

  test('reads a long description from a file or from standard input', async () => {
    service.at.write('README.md', '# Web\n\nDebian with nginx.\n');
    await service.run('box create dev/web --description @README.md');
    await service.run('box create dev/piped --description -', { stdin: 'From a pipe.' });
    await service.run('box create dev/short --description nginx');

    const described = async (name: string) =>
      (await service.json(`box get dev/${name}`)).description_markdown;
    expect(await described('web')).toBe('# Web\n\nDebian with nginx.\n');
    expect(await described('piped')).toBe('From a pipe.');
    expect(await described('short')).toBe('nginx');
  });

  test.each([
    ['web', 'invalid box "web": expected OWNER/NAME'],
    ['dev/web/1', 'invalid box "dev/web/1": expected OWNER/NAME'],
    ['dev/..', 'invalid box name "..": expected letters, digits'],
    ['../web', 'invalid owner name ".."'],
    ['dev/', 'invalid box name ""'],
    ['dev/we%2Fb', 'invalid box name "we%2Fb"'],
    ['dev/web --private --public', '--private cannot be combined with --public'],
    ['dev/web --description @missing.md', 'missing.md'],
  ])('rejects "%s" before a request is sent', async (words, why) => {
    const { code, stderr } = await service.run(`box create ${words}`, {
      env: { LANYARD_BOX_ADDR: 'http://127.0.0.1:9' },
    });
    expect(code).toBe(2);
    expect(stderr).toContain(why);
  });

  test('rejects a description that is not UTF-8', async () => {
    service.at.write('image.png', new Uint8Array([0x89, 0xff]));
    const { code, stderr } = await service.run('box create dev/web --description @image.png');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('invalid description: image.png is not valid UTF-8'),
    ]);
  });

  test('shows the request with --dry-run and --curl, and sends nothing', async () => {
    const dry = await service.run('box create dev/web --public --dry-run');
    expect(dry.stdout).toMatch(/request\tPOST http:\S+\/api\/v1\/boxes\n/);
    expect(dry.stdout).toContain('"is_private": false');
    expect(dry.stdout).toContain('Bearer $LANYARD_BOX_TOKEN');
    const curl = await service.run('box create dev/web --curl');
    expect(curl.stdout).toMatch(/^curl --request POST .*"Authorization: Bearer \$LANYARD_BOX_TOKEN"/);
    expect(curl.stdout).not.toContain(service.running.embedded.boxToken);
    expect((await service.run('box get dev/web')).code).toBe(3);
  });
});

describe('box get', () => {
  test('shows a box with its versions', async () => {
    await service.run('box create dev/web --public --short-description nginx --description #Web');
    await service.run('box version create dev/web 1.0.0');
    await service.run('box provider create dev/web 1.0.0 libvirt --url https://example.com/web.box');
    await service.run('box release dev/web 1.0.0');
    await service.run('box version create dev/web 1.1.0');

    const { stdout } = await service.run('box get dev/web');

    expect(stdout).toMatch(
      /^box\tdev\/web\naccess\tpublic\nshort description\tnginx\ncurrent version\t1\.0\.0\n/,
    );
    expect(stdout).toMatch(/\n1\.0\.0\treleased\tlibvirt\t\S+ \S+ UTC\n/);
    expect(stdout).toMatch(/\n1\.1\.0\tunreleased\t-\t/);
    expect(stdout).toMatch(/#Web\n$/);
  });

  test('finds a private box only for authorized users', async () => {
    await service.run('box create dev/web');
    const stranger = await service.run('box get dev/web', { env: { LANYARD_BOX_TOKEN: '' } });
    expect(stranger.code).toBe(3);
    expect(stranger.stderr).toMatch(
      /not found \(404\)\n.*\nhint: Private boxes are not visible without a token/,
    );
  });
});

describe('box update', () => {
  test.each([
    ['--public', false],
    ['--private', true],
  ])('changes the given fields, and keeps the visibility of a box with %s', async (access, isPrivate) => {
    await service.run(`box create dev/web ${access} --short-description old --description kept`);

    const { code, stdout } = await service.run('box update dev/web --short-description new');

    expect([code, stdout]).toEqual([0, 'Updated box dev/web.\n']);
    expect(await service.json('box get dev/web')).toMatchObject({
      short_description: 'new',
      description_markdown: 'kept',
      private: isPrivate,
    });
  });

  test('changes the visibility of a box', async () => {
    await service.run('box create dev/web');
    await service.run('box update dev/web --public');
    expect(await service.json('box get dev/web')).toMatchObject({ private: false });
  });

  test('renames a box', async () => {
    await service.run('box create dev/web');
    const { stdout } = await service.run('box update dev/web --name front');
    expect(stdout).toBe('Updated box dev/front.\n');
    expect((await service.run('box get dev/web')).code).toBe(3);
    expect((await service.run('box get dev/front')).code).toBe(0);
  });

  test('clears a description', async () => {
    await service.run('box create dev/web --description old');
    await service.at.run(['box', 'update', 'dev/web', '--description', '']);
    expect((await service.json('box get dev/web')).description_markdown || '').toBe('');
  });

  test('with --dry-run reads the visibility of the box, and shows the request', async () => {
    await service.run('box create dev/web --public');
    const { stdout } = await service.run('box update dev/web --short-description x --dry-run');
    expect(stdout).toMatch(/request\tPUT http:\S+\/api\/v1\/box\/dev\/web\n/);
    expect(stdout).toContain('"is_private": false');
    expect((await service.json('box get dev/web')).short_description || '').toBe('');
  });

  test.each([
    ['dev/web', 'nothing to change'],
    ['dev/web --name ..', 'invalid box name ".."'],
  ])('rejects "%s"', async (words, why) => {
    const { code, stderr } = await service.run(`box update ${words}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });
});

describe('box delete', () => {
  test('prompts, and deletes the box with its versions', async () => {
    await service.run('box create dev/web');
    const unasked = await service.run('box delete dev/web');
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    const refused = await service.run('box delete dev/web', { typed: 'n\n', columns: 80 });
    expect(refused.code).toBe(130);
    expect((await service.run('box get dev/web')).code).toBe(0);

    const { code, stdout } = await service.run('box delete dev/web', { typed: 'y\n', columns: 80 });

    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Deleted box /)]);
    expect((await service.run('box get dev/web')).code).toBe(3);
  });

  test('shows the request with --dry-run, and sends nothing', async () => {
    await service.run('box create dev/web');
    const { stdout } = await service.run('box delete dev/web --dry-run');
    expect(stdout).toMatch(/request\tDELETE http:\S+\/api\/v1\/box\/dev\/web\n/);
    expect((await service.run('box get dev/web')).code).toBe(0);
  });
});

describe('box list', () => {
  test('lists the boxes of the user of the token, without a released version too', async () => {
    await service.run('box create dev/web --short-description nginx');
    await service.run('box create dev/open --public');
    await service.run('box version create dev/open 1.0.0');
    await service.run('box create acme/web');

    const { code, stdout } = await service.run('box list');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^dev\/(open|web)\t-\t(public|private)\t0\t-\t(nginx)?\n(.*\n)$/),
    ]);
    expect(await service.json('box list')).toMatchObject({ username: 'dev' });
    expect((await service.run('box list acme --field boxes.0.tag')).stdout).toBe('acme/web\n');
  });

  test('lists only public boxes without a token, of a given owner', async () => {
    await service.run('box create dev/web');
    await service.run('box create dev/open --public');
    const env = { LANYARD_BOX_TOKEN: '' };
    expect((await service.run('box list dev', { env })).stdout).toMatch(/^dev\/open\t[^\n]*\n$/);
    expect((await service.run('box list', { env })).code).toBe(4);
  });

  test.each([
    ['nobody', 3, 'Resource not found!'],
    ['..', 2, 'invalid owner name ".."'],
  ])('"%s" exits with %i', async (name, code, why) => {
    const ran = await service.run(`box list ${name}`);
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(why)]);
  });
});

describe('box org get', () => {
  test('shows an owner and its visible boxes', async () => {
    await service.run('box create acme/web');
    await service.run('box create acme/open --public');

    const { stdout } = await service.run('box org get acme');
    expect(stdout).toMatch(/^name\tacme\nprofile\t/);
    expect(stdout).toMatch(/acme\/web\t/);
    const stranger = await service.json('box org get acme', { env: { LANYARD_BOX_TOKEN: '' } });
    expect(stranger).toMatchObject({ username: 'acme', boxes: [{ tag: 'acme/open' }] });
    const rows = await service.run('box org get acme -o jsonl');
    expect(rows.stdout.trim().split('\n')).toHaveLength(2);
  });

  test.each([
    ['nobody', 3, 'Resource not found!'],
    ['..', 2, 'invalid owner name ".."'],
  ])('"%s" exits with %i', async (name, code, why) => {
    const ran = await service.run(`box org get ${name}`);
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(why)]);
  });
});
