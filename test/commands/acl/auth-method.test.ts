import { beforeEach, describe, expect, test } from 'vitest';
import {
  embeddedForEach,
  expectExit,
  expectFailure,
  outputOf,
  quietOutputOf,
  runnerOf,
  words,
} from '../../support/command-tests.ts';
import { issuer } from '../../unit/services/registry/auth/support.ts';

const { pem, sign } = issuer();
const bound = ['$', '{value.project}'].join('');
const { at } = embeddedForEach();
const acl = runnerOf(at, 'acl');
const json = async (line: string) => JSON.parse((await acl(`${line} -o json`)).stdout);
const put =
  'auth-method put ci --type jwt --jwt-validation-pub-key @jwt.pem --claim-mapping project=project --list-claim-mapping groups=groups';

beforeEach(async () => {
  at.env.LANYARD_REGISTRY_TOKEN = (await acl('bootstrap --field SecretID')).stdout.trim();
  at.write('jwt.pem', pem);
  at.write('claims.json', '{"project":"web","groups":["dev","ops"]}');
});

describe('acl auth-method', () => {
  test('creates a method, and updates the given fields', async () => {
    expect(await acl(`${put} --bound-audience ci --max-token-ttl 1h`)).toMatchObject({
      code: 0,
      stdout: 'Created auth method ci.\n',
    });
    expect(await json('auth-method get ci')).toMatchObject({
      Name: 'ci',
      Type: 'jwt',
      Config: {
        JWTValidationPubKeys: [pem],
        BoundAudiences: ['ci'],
        ClaimMappings: { project: 'project' },
        ListClaimMappings: { groups: 'groups' },
      },
    });
    const changed = await json(
      'auth-method put ci --bound-issuer idp --description Jobs --max-token-ttl 60m',
    );
    expect(changed.changes.map(({ path }: { path: string[] }) => path.join('.'))).toEqual([
      'Config.BoundIssuer',
      'Description',
    ]);
    expect((await acl('auth-method put ci --bound-issuer idp')).stdout).toBe(
      'Auth method ci is unchanged.\n',
    );
    expect((await acl('auth-method list')).stdout).toMatch(/^ci\tjwt\tlocal\t1h0m0s\tJobs\n$/);
    expect((await acl('auth-method get ci')).stdout).toContain('BoundIssuer\tidp\n');
  });

  test('--jwt-supported-alg sets the allowed signature algorithms, and a login with another one fails', async () => {
    await acl(`${put} --jwt-supported-alg ES256 --jwt-supported-alg PS512`);
    expect((await json('auth-method get ci')).Config.JWTSupportedAlgs).toEqual(['ES256', 'PS512']);
    await acl('binding-rule create --method ci --bind-type service --bind-name web');
    const iat = Math.floor(Date.now() / 1000);
    const bearer = { stdin: await sign({ iat, exp: iat + 300, project: 'web', groups: [] }) };
    const rejected = await acl('login --method ci --bearer-token - --no-store', bearer);
    expectFailure(rejected, 4, 'must allow the algorithm in JWTSupportedAlgs (default RS256)');
    const { changes } = await json('auth-method put ci --jwt-supported-algs RS256');
    expect(changes).toHaveLength(1);
    expect((await acl('login --method ci --bearer-token - --no-store', bearer)).code).toBe(0);
  });

  test('writes what "get -o yaml" prints, and replaces Config with --config', async () => {
    await acl(put);
    at.write('ci.yaml', (await acl('auth-method get ci -o yaml')).stdout);
    expect((await acl('auth-method put ci --in ci.yaml')).stdout).toBe('Auth method ci is unchanged.\n');
    await acl('auth-method delete ci --yes');
    expect((await acl('auth-method put ci --in ci.yaml')).stdout).toBe('Created auth method ci.\n');
    at.write('config.json', JSON.stringify({ JWTValidationPubKeys: [pem] }));
    await acl('auth-method put ci --config config.json');
    expect((await json('auth-method get ci')).Config).toEqual({ JWTValidationPubKeys: [pem] });
    expectFailure(await acl('auth-method put other --in ci.yaml'), 2, 'its Name is not "other"');
  });

  test('never shows a client secret, and keeps it', async () => {
    const line =
      'auth-method put corp --type oidc --oidc-discovery-url http://127.0.0.1:9 --oidc-client-id web --oidc-client-secret - --allowed-redirect-uri http://localhost:8550/oidc/callback';
    expectExit(await acl(line, { stdin: 'hunter2' }), 0);
    expect((await acl('auth-method get corp -o json')).stdout).toContain('"OIDCClientSecret": "<redacted>"');
    const changed = await acl('auth-method put corp --description x --oidc-client-secret - -o json', {
      stdin: 'hunter3',
    });
    expect(changed.stdout).not.toMatch(/hunter[23]/);
    expect(JSON.parse(changed.stdout).changes).toContainEqual({
      path: ['Config', 'OIDCClientSecret'],
      before: '<redacted>',
      after: '<redacted>',
    });
    at.write('corp.json', (await acl('auth-method get corp -o json')).stdout);
    const redacted = await acl('auth-method put corp --in corp.json');
    expectFailure(redacted, 2, 'invalid Config: OIDCClientSecret is redacted');
  });

  test.each([
    ['auth-method put new --description x', 2, '--type is required: auth method "new" does not exist'],
    ['auth-method put a/b --type jwt', 2, 'invalid auth method name "a/b"'],
    ['auth-method put new --type ldap', 2, 'expected one of jwt, oidc, kubernetes, aws-iam'],
    ['auth-method put new --type jwt --claim-mapping x', 2, 'invalid --claim-mapping "x"'],
    ['auth-method put new --type jwt --jwt-validation-pub-key @missing', 2, 'missing'],
    ['auth-method put new --type jwt', 1, 'Correct the fields that the service registry names.'],
    ['auth-method get nope', 3, 'auth method "nope" not found'],
    ['auth-method delete nope --yes', 3, 'auth method "nope" not found'],
  ])('rejects "%s"', async (line, code, message) => {
    expectFailure(await acl(line), code, message);
  });

  test('deletes a method with its binding rules', async () => {
    await acl(put);
    await acl('binding-rule create --method ci --bind-type service --bind-name web');
    expect((await acl('auth-method delete ci')).stderr).toContain(
      'its binding rules and the tokens of its logins?',
    );
    expect((await acl('auth-method delete ci --yes')).stdout).toBe('Deleted auth method ci.\n');
    expect((await acl('binding-rule list')).stdout).toBe('');
  });
});

describe('acl binding-rule', () => {
  beforeEach(async () => {
    await acl(put);
  });
  const create = async (flags: string[]) => {
    const argv = ['acl', 'binding-rule', 'create', '--method', 'ci', ...flags, '-o', 'json'];
    return JSON.parse(outputOf(await at.run(argv))) as { ID: string };
  };

  test('creates, shows, updates and deletes a rule by a prefix of its ID', async () => {
    const { ID } = await create([
      ...words('--bind-type service --bind-name'),
      bound,
      '--selector',
      'value.project != ""',
    ]);
    const short = ID.slice(0, 8);
    expect((await acl(`binding-rule get ${short}`)).stdout).toBe(
      `ID\t${ID}\nauth method\tci\nbinds\tservice ${bound}\nselector\tvalue.project != ""\ndescription\t-\n`,
    );
    const updated = await json(`binding-rule update ${short} --description Services`);
    expect(updated).toEqual({ ID, changes: [{ path: ['Description'], after: 'Services' }] });
    expect((await acl(`binding-rule update ${short} --description Services`)).stdout).toContain(
      'is unchanged',
    );
    expect((await acl('binding-rule list --method ci')).stdout).toContain(`\tServices\t${ID}\n`);
    expect((await acl('binding-rule list --method other')).stdout).toBe('');
    expect((await acl(`binding-rule delete ${short}`)).stderr).toContain(`(service ${bound})?`);
    expect((await acl(`binding-rule delete ${short} --yes`)).stdout).toBe(`Deleted binding rule ${ID}.\n`);
    expect((await acl(`binding-rule get ${ID}`)).code).toBe(3);
  });

  test('checks the selector before anything is sent', async () => {
    const argv = words('acl binding-rule create --method ci --bind-type service --bind-name x');
    const ran = await at.run([...argv, '--selector', 'value.project ==', '--address', 'http://127.0.0.1:9']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(
      'error: invalid selector: column 17: unexpected end\n  value.project ==\n                  ^\n',
    );
  });

  test.each([
    ['create --method ci --bind-name x', 2, '--bind-type TYPE is required'],
    ['create --method ci --bind-type role', 2, '--bind-name NAME is required'],
    [
      'create --method nope --bind-type role --bind-name x',
      3,
      'hint: Run `lanyard acl auth-method list` for the existing auth methods.',
    ],
    ['update ffffffff --bind-name x', 3, 'binding rule "ffffffff" not found'],
    ['update ffffffff', 2, 'nothing to change'],
    ['get xyz', 2, 'expected an ID, or at least 4 characters of it'],
    ['test --method ci', 2, '--claims FILE or --bearer-token SRC is required'],
    ['test --claims claims.json', 2, '--method NAME or --selector EXPR is required'],
    ['test --method ci --bind-name x --claims claims.json', 2, 'require --selector'],
    ['test --method nope --claims claims.json', 3, 'auth method "nope" not found'],
  ])('rejects "%s"', async (line, code, message) => {
    expectFailure(await acl(`binding-rule ${line}`), code, message);
  });

  test('evaluates the rules of a method with claims, as a login does', async () => {
    await create(['--bind-type', 'service', '--bind-name', bound, '--selector', '"dev" in list.groups']);
    await create(['--bind-type', 'role', '--bind-name', 'ops', '--selector', 'value.project == api']);
    const stdout = outputOf(await acl('binding-rule test --method ci --claims claims.json'));
    expect(stdout).toContain('value.project\tweb\nlist.groups\tdev, ops\n');
    expect(stdout).toContain('yes\tservice web\t"dev" in list.groups\t');
    expect(stdout).toContain('no\trole ops\tvalue.project == api\t');
    const iat = Math.trunc(Date.now() / 1000);
    const jwt = await sign({ iat, exp: iat + 300, project: 'db', groups: 'dev' });
    const tested = await acl('binding-rule test --method ci --bearer-token - -o json', { stdin: jwt });
    expect(JSON.parse(tested.stdout)).toMatchObject({
      matches: true,
      rules: expect.arrayContaining([expect.objectContaining({ matches: true, boundName: 'db' })]),
    });
    const login = await acl('login --method ci --bearer-token - --no-store -o json', { stdin: jwt });
    expect(JSON.parse(login.stdout).ServiceIdentities).toEqual([{ ServiceName: 'db' }]);
    const invalid = await sign({ iat, exp: iat + 300, project: 'a/b', groups: 'dev' });
    const rejected = await acl('binding-rule test --method ci --bearer-token -', { stdin: invalid });
    expectExit(rejected, 1, ': invalid service name "a/b": the login fails\n');
    const failed = await acl('login --method ci --bearer-token - --no-store', { stdin: invalid });
    expect(failed.stderr).toContain('invalid bind name: "a/b"');
    expectExit(await acl('binding-rule test --method ci --claims -', { stdin: '{"project":"x"}' }), 1);
    expect(
      (
        await acl('login --method ci --bearer-token - --no-store', {
          stdin: await sign({ iat, exp: iat + 300 }),
        })
      ).code,
    ).toBe(5);
  });

  test('evaluates a selector without any request', async () => {
    const argv = (selector: string) => [
      ...['acl', 'binding-rule', 'test', '--address', 'http://127.0.0.1:9', '--claims', 'claims.json'],
      ...['--claim-mapping', 'project=project', '--bind-type', 'role', '--bind-name', `r-${bound}`],
      ...['--selector', selector],
    ];
    expect(quietOutputOf(await at.run(argv('value.project matches "^w"')))).toContain('yes\trole r-web\t');
    expectExit(await at.run(argv('value.team == a')), 1, 'no claim is mapped to value.team');
    expect((await at.run(argv('project == web'))).stderr).toContain('unknown field "project"');
  });

  test('a bearer token that is no JWT is not repeated', async () => {
    const ran = await acl('binding-rule test --method ci --bearer-token -', { stdin: 'hunter2' });
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toContain('hunter2');
  });
});
