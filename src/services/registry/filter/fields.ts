import type { Operator } from '../../../wire/filter/expression.ts';
import * as s from '../../core/schema/types.ts';
import { addresses, check, node, service, serviceInstance } from '../catalog-fields.ts';
import { entryTypes } from '../config/entry.ts';

/** The type of a field, which decides what can be selected below it and which operators it has. */
export type Field =
  | { readonly kind: 'text' | 'number' | 'flag' | 'texts' }
  | { readonly kind: 'object'; readonly fields: FieldsByName }
  /** A list of objects: its fields are the fields of its items. */
  | { readonly kind: 'list'; readonly fields: FieldsByName }
  /** Values by any name. */
  | { readonly kind: 'map'; readonly values: Field };

export type FieldsByName = { readonly [name: string]: Field };

export const operatorsOf: { readonly [Kind in Field['kind']]: readonly Operator[] } = {
  text: ['Equal', 'Not Equal', 'In', 'Not In', 'Matches', 'Not Matches'],
  number: ['Equal', 'Not Equal'],
  flag: ['Equal', 'Not Equal'],
  texts: ['In', 'Not In', 'Is Empty', 'Is Not Empty'],
  map: ['Is Empty', 'Is Not Empty', 'In', 'Not In'],
  list: ['Is Empty', 'Is Not Empty'],
  object: [],
};

export const text: Field = { kind: 'text' };
export const texts: Field = { kind: 'texts' };
export const map = (values: Field): Field => ({ kind: 'map', values });
export const object = (fields: FieldsByName): Field => ({ kind: 'object', fields });

const notSelectable = ['Locality', 'CreateIndex', 'ModifyIndex'];

/** The fields that a filter can select of an object of this type: all but those with any JSON. */
export function selectableFields({ fields }: s.ObjectType, ...without: readonly string[]): FieldsByName {
  const entries = Object.entries(fields).flatMap(([name, type]) => {
    const field = [...notSelectable, ...without].includes(name) ? undefined : selectable(type);
    return field ? [[name, field] as const] : [];
  });
  return Object.fromEntries(entries);
}

function selectable(type: s.Type): Field | undefined {
  if (s.isObjectType(type)) return object(selectableFields(type));
  if (s.isList(type))
    return s.isObjectType(type.items) ? { kind: 'list', fields: selectableFields(type.items) } : texts;
  if (s.isMap(type)) {
    const values = selectable(type.values);
    return values && map(values);
  }
  if (type.kind === 'json') return undefined;
  return { kind: type.kind === 'string' ? 'text' : type.kind === 'boolean' ? 'flag' : 'number' };
}

const PeerName = text;

/** A node, as in `catalog/nodes`. */
export const nodeFields = { ...selectableFields(node), Partition: text, PeerName };

/** A service with its node, as in `catalog/service`. */
export const serviceNodeFields = {
  ...selectableFields(
    s.object({ ...serviceInstance.fields, ServiceTaggedAddresses: addresses }),
    'ServiceLocality',
  ),
  PeerName,
};

/** A service of a node, as in `catalog/node` and `agent/services`. */
export const nodeServiceFields = selectableFields(
  s.object({ ...service.fields, TaggedAddresses: addresses }),
);

/** A check, as in `health/node`, `health/checks`, `health/state` and `agent/checks`. */
export const checkFields = { ...selectableFields(check), PeerName };

/** An instance with its node and checks, as in `health/service`. */
export const instanceFields: FieldsByName = {
  Node: object(nodeFields),
  Service: object(nodeServiceFields),
  Checks: { kind: 'list', fields: checkFields },
};

const limits = s.each(['RequestsMaxBurst', 'RequestsPerSecond'], s.integer());
const routeLimits = { ...limits, ...s.each(['PathExact', 'PathPrefix', 'PathRegex'], s.string()) };

/** A config entry of the kind service-defaults, the only kind whose list can be filtered. */
export const serviceDefaultsFields: FieldsByName = {
  ...selectableFields(entryTypes['service-defaults'], 'Namespace'),
  ...selectableFields(
    s.object({
      RateLimits: s.object({
        InstanceLevel: s.object({ ...limits, Routes: s.list(s.object(routeLimits)) }),
      }),
    }),
  ),
};
