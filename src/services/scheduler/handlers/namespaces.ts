import type { Fields } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { filterInSlices } from '../../core/in-slices.ts';
import type { Content } from '../../core/state/state-table.ts';
import { blockingQuery, indexResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { errorList } from '../errors.ts';
import {
  defaultNamespace,
  deleteNamespace,
  type Namespace,
  namespaceOf,
  namespacesOf,
  putNamespace,
} from '../model/namespaces.ts';
import { variableKey } from '../model/variables.ts';
import { readBody } from '../read-body.ts';
import { readStringMap } from '../read-string-map.ts';
import { requirePermission } from '../require-permission.ts';

const namePattern = /^[a-zA-Z0-9-]{1,128}$/;
const maxDescriptionBytes = 256;
const capabilityFields = [
  'EnabledTaskDrivers',
  'DisabledTaskDrivers',
  'EnabledNetworkModes',
  'DisabledNetworkModes',
];

/** Fields of Nomad Enterprise, with what Nomad says of them. */
const unlicensedFields = {
  NodePoolConfiguration: 'invalid node pool configuration: Node Pools Governance is unlicensed.',
  VaultConfiguration: 'invalid vault configuration: Multi-Cluster Vault is unlicensed.',
  ConsulConfiguration: 'invalid consul configuration: Multi-Cluster Consul is unlicensed.',
};

/** A namespace in a request. */
interface NamespaceInput {
  readonly content: Content<Namespace>;
  /** What is wrong with it. */
  readonly problems: readonly string[];
}

/** Lists the namespaces that the caller can access. */
export function listNamespaces(call: Call): Promise<HttpResponse> {
  const { permissions, request } = call;
  const prefix = request.query.get('prefix') ?? '';
  return blockingQuery(call, 'namespaces', async (view) => ({
    value: await filterInSlices(await namespacesOf(view, prefix), ({ Name }) =>
      permissions.canAccessNamespace(Name),
    ),
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
  const { permissions, params, scheduler } = call;
  requirePermission(permissions.isManagement);
  const input = await readBody(call, 'failed to decode the namespace', readNamespace);
  const { content, problems } = input;
  if (params.namespace !== undefined && params.namespace !== content.Name) {
    throw new HttpError(400, 'Namespace name does not match request path');
  }
  if (problems.length > 0) {
    const name = JSON.stringify(content.Name);
    throw new HttpError(500, `Invalid namespace ${name}: ${errorList(problems)}`);
  }
  // As in Nomad: quotas are an enterprise feature.
  if (content.Quota !== '')
    throw new HttpError(500, `namespace "${content.Name}" using non-existent quota "${content.Quota}"`);
  const { ModifyIndex } = await scheduler.state.update((transaction) => putNamespace(transaction, content));
  return indexResponse(ModifyIndex);
}

/** @throws FieldError */
function readNamespace(fields: Fields): NamespaceInput {
  const Name = fields.string('Name');
  const Description = fields.string('Description');
  const problems = [
    ...(namePattern.test(Name)
      ? []
      : [`invalid name ${JSON.stringify(Name)}. Must match regex ${namePattern.source}`]),
    ...(Buffer.byteLength(Description) > maxDescriptionBytes
      ? [`description longer than ${maxDescriptionBytes}`]
      : []),
    ...Object.entries(unlicensedFields).flatMap(([name, problem]) => (fields.object(name) ? [problem] : [])),
  ];
  return { content: readContent(fields, { Name, Description }), problems };
}

/** @throws FieldError */
function readContent(
  fields: Fields,
  { Name, Description }: Pick<Namespace, 'Name' | 'Description'>,
): Content<Namespace> {
  const capabilities = fields.object('Capabilities');
  const required = readStringMap(fields, 'RequiredExtraClaims');
  const optional = readStringMap(fields, 'OptionalExtraClaims');
  return {
    Name,
    Description,
    Meta: readStringMap(fields, 'Meta'),
    Quota: fields.string('Quota'),
    ...(required && { RequiredExtraClaims: required }),
    ...(optional && { OptionalExtraClaims: optional }),
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
      const problem = `namespace "${name}" has variables associated with it in regions: [global]`;
      throw new HttpError(500, errorList([problem]));
    }
    deleteNamespace(transaction, name);
    return transaction.index;
  });
  return indexResponse(index);
}
