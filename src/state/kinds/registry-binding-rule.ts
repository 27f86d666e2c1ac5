import type { BindingRule } from '../../api/registry-acl.ts';
import { conflict, unlessNotFound } from '../../errors.ts';
import { registryBindingRule as schema } from '../../objects/registry-binding-rule.ts';
import type { Json } from '../../wire/json.ts';
import { compact } from '../../wire/objects.ts';
import { IdIndex } from '../id-index.ts';
import type { Identity, JsonObject, Kind, Live, Reference, Services } from '../kind.ts';
import { normalize, withWireNames } from '../normalize.ts';
import { completeList } from './registry-lists.ts';

/** A rule has no name: `METHOD TYPE NAME[ if SELECTOR]`. */
function keyOf(spec: JsonObject): string {
  const { AuthMethod, BindType, BindName, Selector } = withWireNames(schema, spec);
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
  return completeList(services, 'binding rules', rules);
}

/** The rules by their keys; the registry accepts several of a key. */
const rules = new IdIndex<BindingRule>({
  list: listRules,
  keyOf: (rule) => keyOf(specOf(rule)),
  idOf: ({ ID }) => ID,
  read: async (services, id) => unlessNotFound((await services.registry()).readBindingRule({ id })),
});

/** @throws LanyardError conflict: several rules */
function onlyRule(found: readonly BindingRule[], { key }: Identity): Live | undefined {
  const [rule, ...others] = found;
  if (rule && others.length > 0)
    throw conflict(`${others.length + 1} binding rules are the same: ${key}`, {
      service: 'registry',
      details: found.map(({ ID }) => ID),
      hint: 'Delete all but one with `lanyard acl binding-rule delete ID`.',
    });
  return rule && liveOf(rule);
}

/** The registry rejects variables of other types, even if they are empty. */
function bodyOf(spec: JsonObject): JsonObject {
  const { BindVars, ...fields } = withWireNames(schema, spec);
  const hasVariables = normalize(schema.properties.BindVars, BindVars) !== undefined;
  return { ...fields, ...(hasVariables ? { BindVars } : {}) };
}

const linked = ['role', 'policy'];

function references(_identity: unknown, stated: JsonObject): Reference[] {
  const { AuthMethod, BindType, BindName } = withWireNames(schema, stated);
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
  ...rules.reads({ live: (_services, found, identity) => onlyRule(found, identity) }),
  async create(services, { identity, spec }) {
    // The registry would create a second one.
    if ((await rules.ids(services, identity)).length > 0)
      throw conflict(`the binding rule already exists: ${identity.key}`, { service: 'registry' });
    const registry = await services.registry();
    const send = () => registry.createBindingRule(bodyOf(spec));
    await rules.write(services, identity, ({ body }) => body.ID, send);
  },
  async update(services, { identity, spec, live: { id = '' } }) {
    const registry = await services.registry();
    const send = () => registry.updateBindingRule({ ...bodyOf(spec), id });
    await rules.write(services, identity, id, send);
  },
  async remove(services, identity, { id = '' }) {
    const registry = await services.registry();
    await rules.write(services, identity, id, () => registry.deleteBindingRule({ id }));
  },
};
