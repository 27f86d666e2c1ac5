import type { BindingRule } from '../../api/registry-acl.ts';
import { conflict } from '../../errors.ts';
import type { Json } from '../../wire/json.ts';
import { compact } from '../../wire/objects.ts';
import type { JsonObject, Kind, Live, Reference, Services } from '../kind.ts';
import { withWireNames } from '../normalize.ts';
import { field } from '../schema.ts';
import { completeList } from './registry-lists.ts';

const schema = field.object(
  {
    AuthMethod: field.string({ description: 'Auth method of the logins.' }),
    BindType: field.choice(['service', 'node', 'role', 'policy', 'templated-policy'], {
      description: 'What the token of a login gets.',
    }),
    BindName: field.string({
      description: `Name of it; may contain variables of the login: \`\${value.team}\`.`,
    }),
    Selector: field.string({ description: 'Filter expression for the logins (default: all).' }),
    BindVars: field.object(
      { Name: field.string() },
      { foldsNames: true, description: 'Variables of a templated policy.' },
    ),
    Description: field.string(),
  },
  { foldsNames: true, required: ['AuthMethod', 'BindType', 'BindName'] },
);

/** A rule has no name: `METHOD TYPE NAME[ if SELECTOR]`. */
function keyOf(spec: JsonObject): string {
  const { AuthMethod, BindType, BindName, Selector } = withWireNames(schema, spec) as JsonObject;
  const words = [AuthMethod, BindType, BindName]
    .map(textOf)
    .map((text) => text.replace(/[% ]/g, encodeURIComponent));
  const selector = textOf(Selector);
  return [...words, ...(selector === '' ? [] : ['if', selector])].join(' ');
}

const textOf = (value: Json | undefined): string => String(value ?? '');

const specOf = (rule: BindingRule): JsonObject => {
  const { AuthMethod, BindType, BindName = '', Selector = '', BindVars, Description = '' } = rule;
  const fields = { AuthMethod, BindType, BindName, Selector, Description };
  return { ...fields, ...compact({ BindVars: (BindVars as JsonObject | null | undefined) ?? undefined }) };
};

const liveOf = (rule: BindingRule): Live => ({
  spec: specOf(rule),
  version: String(rule.ModifyIndex ?? 0),
  uid: rule.ID,
  id: rule.ID,
});

async function listRules(services: Services): Promise<readonly BindingRule[]> {
  const rules = await (await services.registry()).listBindingRules({ consistent: '' });
  return (await completeList(services, 'binding rules', rules)) ?? [];
}

/** The rules of a key: the registry accepts several. */
const rulesOf = async (services: Services, key: string): Promise<readonly BindingRule[]> =>
  (await listRules(services)).filter((rule) => keyOf(specOf(rule)) === key);

const linked = ['role', 'policy'];

function references(_identity: unknown, stated: JsonObject): Reference[] {
  const { AuthMethod, BindType, BindName } = withWireNames(schema, stated) as JsonObject;
  const named = (kind: string, name: string): Reference => ({ kind, identity: { scope: {}, key: name } });
  return [
    named('registry.auth-method', textOf(AuthMethod).toLowerCase()),
    ...(linked.includes(textOf(BindType))
      ? [named(`registry.${BindType}`, textOf(BindName).toLowerCase())]
      : []),
  ];
}

/** A binding rule of the registry (docs/protocol/registry.md#login). */
export const registryBindingRule: Kind = {
  name: 'registry.binding-rule',
  service: 'registry',
  description: 'A binding rule of the service registry: what the logins of an auth method get.',
  scope: [],
  keyOf,
  schema,
  level: 4,
  mark: { type: 'text', field: 'Description' },
  guard: 're-read',
  references,
  async list(services) {
    const keys = (await listRules(services)).map((rule) => keyOf(specOf(rule)));
    return [...new Set(keys)].map((key) => ({ scope: {}, key }));
  },
  async read(services, { key }) {
    const [rule, ...others] = await rulesOf(services, key);
    if (rule && others.length > 0)
      throw conflict(`${others.length + 1} binding rules are the same: ${key}`, {
        service: 'registry',
        details: [rule, ...others].map(({ ID }) => ID),
        hint: 'Delete all but one with `lanyard acl binding-rule delete ID`.',
      });
    return rule && liveOf(rule);
  },
  async create(services, { identity: { key }, spec }) {
    // The registry would create a second one.
    if ((await rulesOf(services, key)).length > 0)
      throw conflict(`the binding rule already exists: ${key}`, { service: 'registry' });
    await (await services.registry()).createBindingRule(withWireNames(schema, spec) as JsonObject);
  },
  async update(services, { spec, live }) {
    const registry = await services.registry();
    await registry.updateBindingRule({ ...(withWireNames(schema, spec) as JsonObject), id: live.id ?? '' });
  },
  async remove(services, _identity, live) {
    await (await services.registry()).deleteBindingRule({ id: live.id ?? '' });
  },
};
