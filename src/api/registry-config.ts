import * as v from 'valibot';
import { checked, checkedList, integer } from './decode.ts';
import {
  type Blocking,
  blockingParameters,
  type InDatacenter,
  operationBuilders,
} from './operation-builders.ts';

const { get, put, remove } = operationBuilders('registry');

const entrySchema = v.looseObject({
  Kind: v.string(),
  /** Consul returns none for the only entry of the kind mesh, which is named as its kind. */
  Name: v.optional(v.string()),
  CreateIndex: integer,
  ModifyIndex: integer,
});

/** A config entry. The fields depend on its kind. */
export type ConfigEntry = v.InferOutput<typeof entrySchema>;

interface Named extends InDatacenter {
  kind: string;
  name: string;
}

const entryPath = '/v1/config/{kind}/{name}';

/** Config entries of the registry (docs/protocol/registry.md#config-entries). */
export const configOperations = {
  listEntries: get<InDatacenter & { kind: string; consistent?: '' }>(
    'list config entries',
    '/v1/config/{kind}',
    { query: ['dc', 'consistent'] },
  )(checkedList(entrySchema)),
  readEntry: get<Named & Blocking>('read config entry', entryPath, { query: ['dc', ...blockingParameters] })(
    checked(entrySchema),
  ),
  /** The other fields of the input are the entry. With `cas`: whether it was written. */
  writeEntry: put<InDatacenter & { cas?: number }>('write config entry', '/v1/config', {
    query: ['dc', 'cas'],
  })(checked(v.boolean())),
  /** With `cas`: whether it was deleted, else an object. */
  deleteEntry: remove<Named & { cas?: number }>('delete config entry', entryPath, { query: ['dc', 'cas'] })(
    checked(v.union([v.boolean(), v.looseObject({})])),
  ),
} as const;
