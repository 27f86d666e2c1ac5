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
    const { manage, rule, root, holder, anonymous } = await withMethods();
    const made = await rule('service', 'web-${value.job}', 'ops in list.groups');
    expect(made).toMatchObject({ AuthMethod: 'ci', BindType: 'service', BindName: 'web-${value.job}' });
    expect(await manage('GET', `acl/binding-rule/${made.ID}`)).toEqual(made);
    expect(await manage('GET', 'acl/binding-rules?authmethod=ci')).toEqual([made]);
    expect(await manage('GET', 'acl/binding-rules?authmethod=x')).toEqual([]);
    const body = { AuthMethod: 'ci', BindType: 'role', BindName: 'r' };
    const changed = await manage('PUT', `acl/binding-rule/${made.ID}`, body);
    expect(changed).toMatchObject({ ...body, ID: made.ID, Selector: '', CreateIndex: made.CreateIndex });
    expect(await root('PUT', `acl/binding-rule/${made.ID}`, { ...body, AuthMethod: 'x' })).toBe(
      '500 the AuthMethod field of an Binding Rule is immutable',
    );
    const { send } = await holder('acl = "read"');
    expect(await send.status('GET', 'acl/binding-rules')).toBe(200);
    expect(await send.status('PUT', 'acl/binding-rule', body)).toBe(403);
    expect(await anonymous.status('GET', 'acl/binding-rules')).toBe(403);
    expect(await manage('DELETE', `acl/binding-rule/${made.ID}`)).toBe(true);
  });

  const bind = 'Invalid Binding Rule: invalid BindName or BindVars: ';
  const service = `${bind}failed to validate bindType "service": `;
  const template = `${bind}failed to validate bindType "templated-policy": `;
  const selector = 'invalid Binding Rule: Selector is invalid: ';

  test.each([
    [{ AuthMethod: '' }, 'Invalid Binding Rule: no AuthMethod is set'],
    [{ BindType: '' }, 'Invalid Binding Rule: no BindType is set'],
    [{ BindName: 'Web' }, `${service}invalid bind name: "Web"`],
    [
      { BindName: '${list.groups}' },
      `${service}error interpreting template: 1:3: unknown variable accessed: list.groups`,
    ],
    [
      { BindName: '${value.job' },
      `${service}error interpreting template: parse error at 1:12: expected "}" but found end of string`,
    ],
    [
      { BindType: 'role', BindName: 'a/b' },
      `${bind}failed to validate bindType "role": invalid bind name: "a/b"`,
    ],
    [
      { BindVars: { Name: 'x' } },
      'invalid Binding Rule: BindVars cannot be set when bind type is not templated-policy.',
    ],
    [
      { BindType: 'templated-policy' },
      `${template}Bind name for templated-policy bind type does not match existing template name: web`,
    ],
    [
      { BindType: 'templated-policy', BindName: 'builtin/service' },
      `${template}templated policy failed validation: 1 error occurred:\n\t* Invalid type. Expected: object, given: null\n\n`,
    ],
    [
      { BindType: 'templated-policy', BindName: 'builtin/service', BindVars: { Name: '${value.other}' } },
      `${template}failed to interpret templated policy variables: 1:3: unknown variable accessed: value.other`,
    ],
    [
      { Selector: 'list.groups == x' },
      `${selector}Invalid match operator "Equal" for selector "list.groups"`,
    ],
    [
      { Selector: 'value.job matches "("' },
      `${selector}Failed to compile regular expression "(": error parsing regexp: missing closing ): \`(\``,
    ],
    [{ Selector: 'serviceaccount.name == x' }, `${selector}Selector "serviceaccount" is not valid`],
  ])('that are invalid are rejected: %j', async (part, message) => {
    const { root } = await withMethods();
    const body = { AuthMethod: 'ci', BindType: 'service', BindName: 'web', ...part };
    expect(await root('PUT', 'acl/binding-rule', body)).toBe(`500 ${message}`);
  });

  test('have known fields only, and a claim that is not mapped matches no selector', async () => {
    const { root, rule, login } = await withMethods();
    const body = { AuthMethod: 'ci', BindType: 'service', BindName: 'web' };
    expect(await root('PUT', 'acl/binding-rule', { ...body, BindVars: { Nope: 'x' } })).toBe(
      '400 BindingRule decoding failed: json: unknown field "Nope"',
    );
    expect(await root('PUT', 'acl/binding-rule', '')).toBe('400 BindingRule decoding failed: EOF');
    await rule('service', 'web', 'value.other == x');
    expect(await login('ci', await sign({ other: 'x' }))).toBe('403 Permission denied');
  });

  test('select by claims that the token has: a missing one equals nothing, not even the empty text', async () => {
    const { rule, login, manage } = await withMethods();
    const selects = async (selector: string, claims: object) => {
      const { ID } = await rule('service', 'web', selector);
      const response = await login('ci', await sign(claims));
      await manage('DELETE', `acl/binding-rule/${ID}`);
      return response.startsWith('200 ');
    };
    expect(await selects('value.job == ""', {})).toBe(false);
    expect(await selects('value.job == ""', { job: '' })).toBe(true);
    expect(await selects('value.job != ""', {})).toBe(true);
    expect(await selects('job in value', {})).toBe(false);
    expect(await selects('job in value', { job: 'x' })).toBe(true);
    expect(await selects('list.groups is empty', {})).toBe(true);
    expect(await selects('ops in list.groups', { groups: 'ops' })).toBe(true);
  });

  test('bind templated policies, with the variables of the caller', async () => {
    const { manage, token } = await withMethods();
    const bindTemplate = (BindName: string, BindVars?: object) =>
      manage('PUT', 'acl/binding-rule', {
        AuthMethod: 'ci',
        BindType: 'templated-policy',
        BindName,
        BindVars,
      });
    expect(await bindTemplate('builtin/service', { Name: 'web-${value.job}' })).toMatchObject({
      BindVars: { name: 'web-${value.job}' },
    });
    await bindTemplate('builtin/dns');
    // Claims are in lower case in names.
    const { TemplatedPolicies } = await token('ci', await sign({ job: 'Build' }));
    expect(TemplatedPolicies).toHaveLength(2);
    expect(TemplatedPolicies).toEqual(
      expect.arrayContaining([
        {
          TemplateID: '00000000-0000-0000-0000-000000000003',
          TemplateName: 'builtin/service',
          TemplateVariables: { name: 'web-build' },
        },
        { TemplateID: '00000000-0000-0000-0000-000000000005', TemplateName: 'builtin/dns' },
      ]),
    );
  });

  test('grant the union of the matching rules', async () => {
    const { manage, rule, token } = await withMethods();
    const role = await manage('PUT', 'acl/role', {
      Name: 'deploys',
      ServiceIdentities: [{ ServiceName: 'x' }],
    });
    const policy = await manage('PUT', 'acl/policy', { Name: 'reads', Rules: '' });
    await rule('service', 'web-${value.job}');
    await rule('service', 'web-${value.job}', 'value.job != ""');
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
    const rejected = '403 Permission denied';
    expect(await login('ci', await sign({}))).toEqual(rejected);
    await rule('role', 'not-there');
    await rule('service', 'web', 'value.job == build');
    expect(await login('ci', await sign({ job: 'test' }))).toEqual(rejected);
    expect(await login('ci', await sign({ job: 'build' }))).toMatch(/^200 /);
  });

  test('reject a login that leads to an invalid name', async () => {
    const { login, rule } = await withMethods();
    await rule('service', '${value.job}');
    const message = (name: string) => `500 invalid bind name: "${name}"`;
    expect(await login('ci', await sign({ job: 'a/../b' }))).toEqual(message('a/../b'));
    expect(await login('ci', await sign({}))).toEqual(message(''));
  });

  test('reject a login that is too much work for a pattern', async () => {
    const { login, rule } = await withMethods();
    const { ID } = await rule('service', 'web', 'value.job matches "(a{20}){20}b"');
    expect(await login('ci', await sign({ job: 'a'.repeat(10_000) }))).toMatch(
      new RegExp(`^500 the Selector of binding rule ${ID}: .* is too expensive for this amount of data$`),
    );
  });

  test('take a single group for a list of one, and numbers and truth values for text', async () => {
    const { rule, token } = await withMethods();
    await rule('service', 'job-${value.job}-${value.project}', 'ops in list.groups');
    const jwt = await sign({ job: 7, project: { name: true }, groups: 'ops' });
    expect(await token('ci', jwt)).toMatchObject({ ServiceIdentities: [{ ServiceName: 'job-7-true' }] });
  });
});
