import type { BindingRule } from '../../../api/registry-acl.ts';
import { command, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { onlyObject } from '../../../command/read-fields.ts';
import { kinds, usage } from '../../../errors.ts';
import { registryBindingRule } from '../../../objects/registry-binding-rule.ts';
import { type Document, dim, fields, good, listTable, strong } from '../../../output/document.ts';
import {
  checkSelector,
  claimsOfJwt,
  type Evaluated,
  evaluate,
  identityOf,
  kubernetesIdentity,
  mappingsOf,
} from '../lib/claims.ts';
import { dcFlag, describeMissing, whereFrom } from '../lib/find.ts';
import { bindText } from '../lib/method-views.ts';
import type { Identity } from '../lib/selector.ts';

export default command({
  description:
    'Evaluates binding rules on this machine: no login takes place, and a bearer token is not sent. --method uses the rules and claim mappings of an auth method; with --selector and --claim-mapping no request is sent. The exit code is 1 if no rule matches, or if a rule yields an invalid name, with which the login fails.',
  examples: [
    'lanyard acl binding-rule test --method ci --claims claims.json',
    'lanyard acl binding-rule test --method ci --bearer-token env://CI_JOB_JWT',
    "lanyard acl binding-rule test --selector 'value.project == web' --claim-mapping project=project --claims claims.json",
  ],
  service: 'registry',
  flags: {
    method: flag.name('NAME', 'auth method whose rules and claim mappings are used', {
      completes: 'acl-auth-method',
    }),
    claims: flag.file('FILE|-', 'claims as JSON or YAML'),
    bearerToken: flag.jwt('source of a JWT with the claims'),
    selector: flag.text('EXPR', 'selector to evaluate instead of the stored rules'),
    bindType: flag.choice(registryBindingRule.properties.BindType.enum, 'with --selector: what a login gets'),
    bindName: flag.name('NAME', `with --selector: its name, which may contain \${value.NAME}`),
    claimMapping: flag.map('CLAIM=NAME', 'claim that selectors know as value.NAME; repeatable'),
    listClaimMapping: flag.map('CLAIM=NAME', 'claim that selectors know as list.NAME; repeatable'),
    dc: dcFlag,
  },
  async run({ flags }, ctx) {
    const { method: name, selector } = flags;
    if ((flags.claims === undefined) === (flags.bearerToken === undefined))
      throw usage('--claims FILE or --bearer-token SRC is required, and not both');
    if (name === undefined && selector === undefined)
      throw usage('--method NAME or --selector EXPR is required');
    if (selector === undefined && (flags.bindType !== undefined || flags.bindName !== undefined))
      throw usage('--bind-type and --bind-name require --selector');
    const compile = await ctx.input.patterns();
    if (selector !== undefined) checkSelector(selector, compile);
    const claims = await readClaims(flags, ctx);
    const where = whereFrom(flags);
    const registry = name === undefined ? undefined : await ctx.api.registry();
    const method =
      registry && name !== undefined
        ? (await registry.readAuthMethod({ name, ...where }).catch(describeMissing('auth-method', name))).body
        : undefined;
    const mappings = method ? mappingsOf(method) : { values: {}, lists: {} };
    const identity =
      method?.Type === 'kubernetes'
        ? kubernetesIdentity(claims)
        : identityOf(claims, {
            values: { ...mappings.values, ...flags.claimMapping },
            lists: { ...mappings.lists, ...flags.listClaimMapping },
          });
    const given = {
      Selector: selector ?? '',
      BindType: flags.bindType ?? '',
      BindName: flags.bindName ?? '',
    };
    const rules: readonly TestedRule[] =
      selector !== undefined || !registry || name === undefined
        ? [{ ID: '', AuthMethod: name ?? '', ...given }]
        : ((await registry.listBindingRules({ authmethod: name, ...where })).body ?? []);
    const evaluated = rules.map((rule) => ({ rule, outcome: evaluate(rule, identity, compile) }));
    const results = evaluated.map(({ rule, outcome }) => resultOf(rule, outcome));
    for (const { ID = 'the given rule', problem } of results)
      if (problem) ctx.output.warn(`${ID}: ${problem}`);
    const hasMatch = results.some(({ matches }) => matches);
    const isRejected = evaluated.some(({ outcome }) => outcome.isRejected);
    return {
      data: { matches: hasMatch, identity, rules: results },
      document: testView(evaluated, identity),
      exitCode: hasMatch && !isRejected ? undefined : kinds.failure.code,
    };
  },
});

type TestedRule = Pick<BindingRule, 'ID' | 'AuthMethod' | 'BindType' | 'BindName' | 'Selector'>;

async function readClaims(
  flags: { readonly claims: string | undefined; readonly bearerToken: string | undefined },
  ctx: Context,
): Promise<Readonly<Record<string, unknown>>> {
  if (flags.claims === undefined)
    return claimsOfJwt(await ctx.input.readJwt(flags.bearerToken, 'bearer token'));
  return onlyObject(await ctx.input.readDefinitions(flags.claims), 'claims');
}

const resultOf = ({ ID, Selector = '', BindType, BindName = '' }: TestedRule, outcome: Evaluated) => ({
  ...(ID === '' ? {} : { ID }),
  matches: outcome.matches,
  Selector,
  BindType,
  BindName,
  ...(outcome.bindName === undefined ? {} : { boundName: outcome.bindName }),
  ...(outcome.problem === undefined ? {} : { problem: outcome.problem }),
});

function testView(
  evaluated: readonly { readonly rule: TestedRule; readonly outcome: Evaluated }[],
  identity: Identity,
): Document {
  const values = Object.entries(identity).flatMap(([group, members]) =>
    Object.entries(members).map(
      ([name, value]) =>
        [
          `${group}.${name}`,
          (typeof value === 'string' ? value : value.join(', ')) || dim('(empty)'),
        ] as const,
    ),
  );
  return [
    ...(values.length === 0 ? [] : [fields(values)]),
    listTable(evaluated, 'No binding rules. Logins with the auth method fail.', {
      MATCHES: ({ outcome }) => (outcome.matches ? good('yes') : dim('no')),
      BINDS: ({ rule, outcome }) =>
        strong(bindText({ ...rule, BindName: outcome.bindName ?? rule.BindName }) || '-'),
      SELECTOR: { shrinkPriority: 1, cell: ({ rule }) => rule.Selector || dim('(all)') },
      RULE: { optional: 1, cell: ({ rule }) => rule.ID || dim('(given)') },
    }),
  ];
}
