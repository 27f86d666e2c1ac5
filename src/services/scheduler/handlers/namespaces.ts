import { HttpError } from '../../core/http/http-service.ts';
import { filterInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { blockingQuery, foundRow, listing, reading, writeIndex, writing } from '../blocking-query.ts';
import { operations } from '../call.ts';
import { errorList, problems, requirePermission } from '../errors.ts';
import { defaultNamespace, namespace, namespaces } from '../model/namespaces.ts';
import { variableKey } from '../model/variables.ts';

const namePattern = /^[a-zA-Z0-9-]{1,128}$/;
const maxDescriptionBytes = 256;

/** Fields of Nomad Enterprise, with what Nomad says of them. */
const unlicensedFields = {
  NodePoolConfiguration: 'invalid node pool configuration: Node Pools Governance is unlicensed.',
  VaultConfiguration: 'invalid vault configuration: Multi-Cluster Vault is unlicensed.',
  ConsulConfiguration: 'invalid consul configuration: Multi-Cluster Consul is unlicensed.',
};

const operation = operations('Namespaces');

export const listNamespaces = operation(
  'listNamespaces',
  'List the namespaces in which the caller has any permission',
  {
    ...listing,
    returns: s.list(namespace),
    handle(call) {
      const { prefix } = call.query();
      return blockingQuery(call, 'namespaces', async (view) => ({
        value: await filterInSlices(await namespaces.list(view, prefix), ({ Name }) =>
          call.permissions.canAccessNamespace(Name),
        ),
      }));
    },
  },
);

export const getNamespace = operation('getNamespace', 'Read a namespace', {
  ...reading,
  returns: namespace,
  handle(call) {
    const name = call.params.namespace ?? '';
    requirePermission(call.permissions.canAccessNamespace(name));
    return blockingQuery(call, 'namespaces', (view) =>
      foundRow(namespaces.get(view, name), 'Namespace not found'),
    );
  },
});

export const putNamespaceRoute = operation('putNamespace', 'Create or replace a namespace', {
  ...writing,
  body: namespace,
  bodyError: 'failed to decode the namespace',
  async handle(call) {
    requirePermission(call.permissions.isManagement);
    const input = await call.body();
    const { Name, Quota } = input;
    if (call.params.namespace !== undefined && call.params.namespace !== Name)
      throw new HttpError(400, 'Namespace name does not match request path');
    const found = problemsOf(input);
    if (found.length > 0)
      throw new HttpError(500, `Invalid namespace ${JSON.stringify(Name)}: ${errorList(found)}`);
    // As in Nomad: quotas are an enterprise feature.
    if (Quota !== '') throw new HttpError(500, `namespace "${Name}" using non-existent quota "${Quota}"`);
    return writeIndex(
      call,
      (transaction) => namespaces.write(transaction, Name, s.storedOf(namespace, input)).ModifyIndex,
    );
  },
});

function problemsOf(input: s.Input<typeof namespace>): string[] {
  const { Name, Description } = input;
  return problems([
    !namePattern.test(Name) && `invalid name ${JSON.stringify(Name)}. Must match regex ${namePattern.source}`,
    Buffer.byteLength(Description) > maxDescriptionBytes && `description longer than ${maxDescriptionBytes}`,
    ...Object.entries(unlicensedFields).map(
      ([name, problem]) => Boolean(input[name as keyof typeof unlicensedFields]) && problem,
    ),
  ]);
}

export const removeNamespace = operation('deleteNamespace', 'Delete an empty namespace', {
  ...writing,
  handle(call) {
    const name = call.params.namespace ?? '';
    const { state } = call.scheduler;
    requirePermission(call.permissions.isManagement);
    return writeIndex(call, (transaction) => {
      if (name === defaultNamespace) throw new HttpError(500, 'can not delete default namespace');
      if (!namespaces.get(transaction, name)) throw new HttpError(500, 'namespace not found');
      if (state.rows('variables').keysAfter(variableKey({ Namespace: name, Path: '' }), '', 1).length > 0) {
        const problem = `namespace "${name}" has variables associated with it in regions: [global]`;
        throw new HttpError(500, errorList([problem]));
      }
      namespaces.delete(transaction, name);
      return transaction.index;
    });
  },
});
