// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these places are filled by the registry.
import { describe, expect, test } from 'vitest';
import { issuer, withLogin } from './support.ts';

const { pem, sign } = issuer();

async function withMethods() {
  const all = await withLogin();
  const Config = {
    JWTValidationPubKeys: [pem],
    ClaimMappings: { job: 'job', '/project/name': 'project' },
    ListClaimMappings: { groups: 'groups' },
  };
  await all.manage('PUT', 'acl/auth-method', { Name: 'ci', Type: 'jwt', Config });
  const rule = (BindType: string, BindName: string, Selector = '') =>
    all.manage('PUT', 'acl/binding-rule', { AuthMethod: 'ci', BindType, BindName, Selector });
  return { ...all, rule };
}

describe('binding rules', () => {
  test('are made, read, listed, changed and removed', async () => {
    const { manage, rule, root, holder, nobody } = await withMethods();
    const made = await rule('service', 'web-${value.job}', 'ops in list.groups');
    expect(made).toMatchObject({ AuthMethod: 'ci', BindType: 'service', BindName: 'web-${value.job}' });
    expect(await manage('GET', `acl/binding-rule/${made.ID}`)).toEqual(made);
    expect(await manage('GET', 'acl/binding-rules?authmethod=ci')).toEqual([made]);
    expect(await manage('GET', 'acl/binding-rules?authmethod=x')).toEqual([]);
    const body = { AuthMethod: 'ci', BindType: 'role', BindName: 'r' };
    const changed = await manage('PUT', `acl/binding-rule/${made.ID}`, body);
    expect(changed).toMatchObject({ ...body, ID: made.ID, Selector: '', CreateIndex: made.CreateIndex });
    expect(await root('PUT', `acl/binding-rule/${made.ID}`, { ...body, AuthMethod: 'x' })).toEqual([
      500,
      'Invalid Binding Rule: the AuthMethod of a binding rule is immutable',
    ]);
    const { say } = await holder('acl = "read"');
    expect((await say('GET', 'acl/binding-rules'))[0]).toBe(200);
    expect((await say('PUT', 'acl/binding-rule', body))[0]).toBe(403);
    expect((await nobody('GET', 'acl/binding-rules'))[0]).toBe(403);
    expect(await manage('DELETE', `acl/binding-rule/${made.ID}`)).toBe(true);
    const none = [404, 'Requested binding rule does not exist: ACL not found'];
    expect(await root('GET', `acl/binding-rule/${made.ID}`)).toEqual(none);
    expect(await root('PUT', `acl/binding-rule/${made.ID}`, body)).toEqual(none);
    expect((await root('DELETE', `acl/binding-rule/${made.ID}`))[0]).toBe(404);
  });

  test.each([
    [{ AuthMethod: 'x' }, 'there is no auth method "x"'],
    [{ BindType: 'group' }, 'BindType should be one of: service, node, role, policy'],
    [{ BindType: 'templated-policy' }, 'templated policies are not supported'],
    [{ BindName: '' }, 'BindName "" cannot be the name of a service'],
    [{ BindName: 'Web' }, 'BindName "Web" cannot be the name of a service'],
    [{ BindName: '${value.other}' }, 'BindName names "value.other", which the auth method does not tell'],
    [{ BindName: '${list.groups}' }, 'BindName names "list.groups"'],
    [{ BindName: '${value.job' }, 'BindName "${value.job" cannot be'],
    [{ Selector: 'value.other == x' }, 'Selector looks at "value.other"'],
    [{ Selector: 'value.job = x' }, 'unexpected character at 11'],
    [{ Selector: 'value.job matches "("' }, 'invalid pattern'],
    [{ Selector: 'serviceaccount.name == x' }, 'Selector looks at "serviceaccount.name"'],
  ])('that cannot be are refused: %j', async (part, message) => {
    const { root } = await withMethods();
    const body = { AuthMethod: 'ci', BindType: 'service', BindName: 'web', ...part };
    expect(await root('PUT', 'acl/binding-rule', body)).toEqual([
      500,
      expect.stringMatching(/^Invalid Binding Rule: /),
    ]);
    expect((await root('PUT', 'acl/binding-rule', body))[1]).toContain(message);
  });

  test('grant the union of the matching rules', async () => {
    const { manage, rule, token } = await withMethods();
    const role = await manage('PUT', 'acl/role', {
      Name: 'deploys',
      ServiceIdentities: [{ ServiceName: 'x' }],
    });
    const policy = await manage('PUT', 'acl/policy', { Name: 'reads', Rules: '' });
    await rule('service', 'web-${value.job}');
    await rule('service', 'web-${value.job}', 'value.job is not empty');
    await rule('node', '${value.project}-1', 'value.project matches "^lan"');
    await rule('role', 'deploys', '"ops" in list.groups');
    await rule('role', 'not-there');
    await rule('policy', 'reads', 'value.job == build or value.job == test');
    await rule('policy', 'global-management', 'admin in list.groups');
    const jwt = await sign({ job: 'build', project: { name: 'lanyard' }, groups: ['ops', 'dev'] });
    expect(await token('ci', jwt)).toMatchObject({
      ServiceIdentities: [{ ServiceName: 'web-build' }],
      NodeIdentities: [{ NodeName: 'lanyard-1', Datacenter: 'dc1' }],
      Roles: [{ ID: role.ID, Name: 'deploys' }],
      Policies: [{ ID: policy.ID, Name: 'reads' }],
    });
  });

  test('give nothing, and with them the login nothing, where none selects the caller', async () => {
    const { login, rule } = await withMethods();
    const refused = [403, 'Permission denied'];
    expect(await login('ci', await sign({}))).toEqual(refused);
    await rule('role', 'not-there');
    await rule('service', 'web', 'value.job == build');
    expect(await login('ci', await sign({ job: 'test' }))).toEqual(refused);
    expect((await login('ci', await sign({ job: 'build' })))[0]).toBe(200);
  });

  test('reject a login that leads to an invalid name', async () => {
    const { login, rule } = await withMethods();
    await rule('service', '${value.job}');
    const message = (name: string) => [500, `computed bind name for service is invalid: "${name}"`];
    expect(await login('ci', await sign({ job: 'a/../b' }))).toEqual(message('a/../b'));
    expect(await login('ci', await sign({}))).toEqual(message(''));
  });

  test('reject a login that is too much work for a pattern', async () => {
    const { login, rule } = await withMethods();
    const { ID } = await rule('service', 'web', 'value.job matches "(a{20}){20}b"');
    expect(await login('ci', await sign({ job: 'a'.repeat(10_000) }))).toEqual([
      500,
      expect.stringMatching(
        `^the Selector of binding rule ${ID}: .* is too expensive for this amount of data$`,
      ),
    ]);
  });

  test('take a single group for a list of one, and numbers and truth values for text', async () => {
    const { rule, token } = await withMethods();
    await rule('service', 'job-${value.job}-${value.project}', 'ops in list.groups');
    const jwt = await sign({ job: 7, project: { name: true }, groups: 'ops' });
    expect(await token('ci', jwt)).toMatchObject({ ServiceIdentities: [{ ServiceName: 'job-7-true' }] });
  });
});
