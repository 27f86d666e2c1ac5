import { describe, expect, test } from 'vitest';
import { expectFailure, outputOf } from '../../support/command-tests.ts';
import { serve } from '../../unit/api/support.ts';
import { boxesForEach } from './registry.ts';

const service = boxesForEach();

describe('box create', () => {
  test('creates a private box unless --public is given', async () => {
    expect(outputOf(await service.run('box create dev/web'))).toBe('Created box dev/web.\n');
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
    const ran = await service.run(`box create ${words}`, { env: { LANYARD_BOX_ADDR: 'http://127.0.0.1:9' } });
    expectFailure(ran, 2, why);
  });

  test('rejects a description that is not UTF-8', async () => {
    service.at.write('image.png', new Uint8Array([0x89, 0xff]));
    const ran = await service.run('box create dev/web --description @image.png');
    expectFailure(ran, 2, 'invalid description: image.png is not valid UTF-8');
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
      /: dev\/web not found \(404\)\nhint: Private boxes are not visible without a token/,
    );
  });
});

describe('box update', () => {
  test.each([
    ['--public', false],
    ['--private', true],
  ])('changes the given fields, and keeps the visibility of a box with %s', async (access, isPrivate) => {
    await service.run(`box create dev/web ${access} --short-description old --description kept`);

    const stdout = outputOf(await service.run('box update dev/web --short-description new'));
    expect(stdout).toBe('Updated box dev/web.\nshort_description\t"old"\t"new"\n');
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
    expect(stdout).toBe('Updated box dev/front.\nname\t"web"\t"front"\n');
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
    expectFailure(await service.run(`box update ${words}`), 2, why);
  });
});

describe('box delete', () => {
  test('prompts, and deletes the box with its versions', async () => {
    await service.run('box create dev/web');
    expectFailure(await service.run('box delete dev/web'), 2, '--yes');
    expect((await service.run('box delete dev/web', { typed: 'n\n', columns: 80 })).code).toBe(1);
    expect((await service.run('box get dev/web')).code).toBe(0);

    const stdout = outputOf(await service.run('box delete dev/web', { typed: 'y\n', columns: 80 }));
    expect(stdout).toMatch(/^Deleted box /);
    expect((await service.run('box get dev/web')).code).toBe(3);
  });
});

describe('box list', () => {
  test('lists the boxes of the user of the token, without a released version too', async () => {
    await service.run('box create dev/web --short-description nginx');
    await service.run('box create dev/open --public');
    await service.run('box version create dev/open 1.0.0');
    await service.run('box create acme/web');

    const stdout = outputOf(await service.run('box list'));
    expect(stdout).toMatch(/^dev\/(open|web)\t-\t(public|private)\t0\t-\t(nginx)?\n(.*\n)$/);
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
    ['missing', 3, 'organization: missing not found (404)\n'],
    ['..', 2, 'invalid owner name ".."'],
  ])('"%s" exits with %i', async (name, code, why) => {
    expectFailure(await service.run(`box list ${name}`), code, why);
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
    expect((await service.run('box org get acme -o jsonl')).stdout.trim().split('\n')).toHaveLength(2);
  });

  test.each([
    ['missing', 3, 'organization: missing not found (404)\n'],
    ['..', 2, 'invalid owner name ".."'],
  ])('"%s" exits with %i', async (name, code, why) => {
    expectFailure(await service.run(`box org get ${name}`), code, why);
  });
});

describe('box org create', () => {
  /** The environment of another user. */
  const asAda = async () => {
    const env = { PW: 'another password', LANYARD_BOX_TOKEN: '' };
    const login = 'box token create --login ada --password env://PW --no-store';
    await service.run(login.replace('token create', 'request-code').replace(' --no-store', ''), { env });
    const CODE = /\d{6}$/.exec(service.printed.at(-1) ?? '')?.[0] ?? '';
    const { token } = await service.json<{ token: string }>(`${login} --code env://CODE`, {
      env: { ...env, CODE },
    });
    return { env: { LANYARD_BOX_TOKEN: token } };
  };

  test('creates an organization whose boxes the user of the token manages', async () => {
    expect(outputOf(await service.run('box org create shop'))).toBe('Created organization shop.\n');

    expect(await service.json('box org get shop')).toMatchObject({ username: 'shop', boxes: [] });
    expect((await service.run('box create shop/web --public')).code).toBe(0);
    expect((await service.run('box create shop/db')).code).toBe(0);
    for (const line of [
      'version create shop/web 1.0.0',
      'provider create shop/web 1.0.0 libvirt --url https://example.com/web.box',
      'release shop/web 1.0.0',
    ])
      expect((await service.run(`box ${line}`)).code, line).toBe(0);
    const tags = async (line: string, options = {}) =>
      (await service.run(`box ${line} --select boxes[].tag -o json`, options)).stdout;
    expect(JSON.parse(await tags('list shop'))).toEqual(['shop/db', 'shop/web']);
    expect(JSON.parse(await tags('org get shop'))).toEqual(['shop/db', 'shop/web']);
    expect(JSON.parse(await tags('search shop'))).toEqual(['shop/web']);

    const ada = await asAda();
    expect(JSON.parse(await tags('list shop', ada))).toEqual(['shop/web']);
    const denied = await service.run('box create shop/more', ada);
    expectFailure(denied, 5, 'You are not authorized to create boxes of shop');
    expect((await service.run('box update shop/web --private', ada)).code).toBe(5);
    expect((await service.run('box delete shop/web --yes', ada)).code).toBe(5);
    expect((await service.run('box delete shop/db --yes', ada)).code).toBe(3);
  });

  test('returns the organization as sent by the service', async () => {
    const own = { username: 'shop', avatar_url: '', profile_html: '', profile_markdown: '', boxes: [] };
    expect(await service.json('box org create shop')).toEqual(own);
    expect((await service.run('box org create other --field username')).stdout).toBe('other\n');
  });

  test.each(['dev', 'ada', 'acme'])('the name "%s" is in use, and nothing is sent', async (name) => {
    const { code, stdout, stderr } = await service.run(`box org create ${name}`);
    expect([code, stdout, stderr]).toEqual([
      6,
      '',
      `error: user or organization ${name} already exists\nhint: Choose another name.\n`,
    ]);
  });

  test('the name of an organization that another user just created is in use', async () => {
    const { url } = await serve(async ({ method, url: path, headers, body }, response) => {
      const options = { method, headers: { Authorization: headers.authorization ?? '' } };
      const address = service.running.addresses.box;
      if (method === 'POST') await service.run('box org create shop', await asAda());
      const reply = await fetch(`${address}${path}`, method === 'POST' ? { ...options, body } : options);
      response.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(await reply.text());
    });
    const ran = await service.run('box org create shop', { env: { LANYARD_BOX_ADDR: url } });
    expectFailure(ran, 6, /^error: user or organization shop already exists\n/);
    expect((await service.run('box create shop/web')).code).toBe(5);
  });

  test.each([
    ['..', 'invalid organization name ".."'],
    ['shop/web', 'invalid organization name "shop/web"'],
    ['sh%2Fop', 'invalid organization name "sh%2Fop"'],
  ])('rejects "%s" before a request is sent', async (name, why) => {
    const ran = await service.run(`box org create ${name}`, {
      env: { LANYARD_BOX_ADDR: 'http://127.0.0.1:9' },
    });
    expectFailure(ran, 2, why);
  });

  test('reports a name that the service rejects', async () => {
    expectFailure(await service.run('box org create _shop'), 5, 'organization.username may have letters');
  });

  test('shows the request with --dry-run and --curl, and sends only the read', async () => {
    const dry = await service.run('box org create shop --dry-run');
    expect(dry.stdout).toMatch(/request\tPOST http:\S+\/api\/v1\/organizations\n/);
    expect(dry.stdout).toMatch(/"organization": \{\s*"username": "shop"\s*\}/);
    const curl = await service.run('box org create shop --curl');
    expect(curl.stdout).toMatch(/^curl --request POST .*"Authorization: Bearer \$LANYARD_BOX_TOKEN"/);
    expect((await service.run('box org get shop')).code).toBe(3);
    expect((await service.run('box org create acme --dry-run')).code).toBe(6);
  });

  test.each([
    [404, 'application/json', '{"errors":["Resource not found!"],"success":false}'],
    [404, 'text/html', '<!DOCTYPE html><title>The page you were looking for does not exist</title>'],
    [405, 'application/json', '{"errors":["Method not allowed"],"success":false}'],
    [501, 'text/plain', 'Not Implemented'],
  ])('a registry without the request (%i, %s) is reported as unsupported', async (status, type, body) => {
    const { url } = await serve(({ method }, response) => {
      const isRead = method === 'GET';
      response
        .writeHead(isRead ? 404 : status, { 'Content-Type': isRead ? 'application/json' : type })
        .end(isRead ? '{"errors":["Resource not found!"],"success":false}' : body);
    });
    const options = { env: { LANYARD_BOX_ADDR: url } };
    const { code, stderr } = await service.run('box org create shop -o json', options);
    expect([code, JSON.parse(stderr).error]).toEqual([
      1,
      expect.objectContaining({
        status,
        retryable: false,
        message: 'cannot create organization "shop": this registry has no request for it',
        hint: 'Create it on the website of the registry.',
      }),
    ]);
  });
});
