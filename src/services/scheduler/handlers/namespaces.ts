import { decodeBody, Fields } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import type { Indexes } from '../../core/state/state-table.ts';
import { blockingQuery, indexResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import {
  defaultNamespace,
  deleteNamespace,
  type Namespace,
  namespaceOf,
  namespacesOf,
  putNamespace,
} from '../model/namespaces.ts';
import { variableKey } from '../model/variables.ts';
import { requirePermission } from '../require-permission.ts';

const namePattern = /^[a-zA-Z0-9-]{1,128}$/;
/** Characters. */
const maxDescriptionLength = 256;
const capabilityFields = [
  'EnabledTaskDrivers',
  'DisabledTaskDrivers',
  'EnabledNetworkModes',
  'DisabledNetworkModes',
];

/** The namespaces in which the caller has any permission. */
export function listNamespaces(call: Call): Promise<HttpResponse> {
  const { permissions, request } = call;
  const prefix = request.query.get('prefix') ?? '';
  return blockingQuery(call, 'namespaces', (view) => ({
    value: namespacesOf(view, prefix).filter(({ Name }) => permissions.canAccessNamespace(Name)),
  }));
}

export function getNamespace(call: Call): Promise<HttpResponse> {
  const name = call.params.namespace ?? '';
  requirePermission(call.permissions.canAccessNamespace(name));
  return blockingQuery(call, 'namespaces', (view) => {
    const namespace = namespaceOf(view, name);
    return namespace
      ? { value: namespace, index: namespace.ModifyIndex }
      : { notFoundMessage: 'Namespace not found' };
  });
}

/** Creates or replaces a namespace. */
export async function putNamespaceRoute(call: Call): Promise<HttpResponse> {
  const { permissions, params, request, scheduler } = call;
  requirePermission(permissions.isManagement);
  const input = await decodeBody(request, 'failed to decode the namespace', (body) =>
    readNamespace(new Fields(body)),
  );
  if (params.namespace !== undefined && params.namespace !== input.Name) {
    throw new HttpError(400, 'Namespace name does not match request path');
  }
  validateNamespace(input);
  const { ModifyIndex } = await scheduler.state.update((transaction) => putNamespace(transaction, input));
  return indexResponse(ModifyIndex);
}

function readNamespace(fields: Fields): Omit<Namespace, keyof Indexes> {
  const capabilities = fields.object('Capabilities');
  return {
    Name: fields.string('Name'),
    Description: fields.string('Description'),
    Meta: fields.stringMap('Meta'),
    Quota: fields.string('Quota'),
    Capabilities: capabilities
      ? Object.fromEntries(
          capabilityFields.map((name) => [
            name,
            capabilities.has(name) ? [...capabilities.strings(name)] : null,
          ]),
        )
      : null,
  };
}

/** @throws HttpError 400, 500 (docs/protocol/scheduler.md#namespaces) */
function validateNamespace({ Name, Description, Quota }: Omit<Namespace, keyof Indexes>): void {
  if (!namePattern.test(Name)) {
    throw new HttpError(500, `invalid name "${Name}". Must match regex ${namePattern.source}`);
  }
  if ([...Description].length > maxDescriptionLength) {
    throw new HttpError(500, `description longer than ${maxDescriptionLength}`);
  }
  if (Quota !== '') throw new HttpError(400, 'Quota is an enterprise feature: leave it empty');
}

/** Deletes an empty namespace. */
export async function removeNamespace(call: Call): Promise<HttpResponse> {
  const { permissions, params, scheduler } = call;
  const { state } = scheduler;
  const name = params.namespace ?? '';
  requirePermission(permissions.isManagement);
  const index = await state.update((transaction) => {
    if (name === defaultNamespace) throw new HttpError(500, 'can not delete default namespace');
    if (!namespaceOf(transaction, name)) throw new HttpError(500, 'namespace not found');
    if (state.keysAfter('variables', variableKey({ Namespace: name, Path: '' }), '', 1).length > 0) {
      throw new HttpError(500, `namespace "${name}" has variables associated with it in regions: [global]`);
    }
    deleteNamespace(transaction, name);
    return transaction.index;
  });
  return indexResponse(index);
}
