import { decode, Fields } from '../../http/fields.ts';
import { type Answer, HttpRefusal } from '../../http/service.ts';
import type { Indexes } from '../../state/indexed.ts';
import type { Call } from '../http/call.ts';
import { done, read } from '../http/read.ts';
import { demand } from '../http/refusals.ts';
import {
  defaultNamespace,
  deleteNamespace,
  type Namespace,
  namespaceOf,
  namespacesOf,
  putNamespace,
} from '../state/namespaces.ts';
import { keyAt } from '../state/variables.ts';

const nameForm = /^[a-zA-Z0-9-]{1,128}$/;
/** Characters. */
const longestDescription = 256;
const capabilityLists = [
  'EnabledTaskDrivers',
  'DisabledTaskDrivers',
  'EnabledNetworkModes',
  'DisabledNetworkModes',
];

/** The namespaces that the caller may do anything in. */
export function listNamespaces(call: Call): Promise<Answer> {
  const { authority, request } = call;
  const prefix = request.query.get('prefix') ?? '';
  return read(call, 'namespaces', (view) => ({
    value: namespacesOf(view, prefix).filter(({ Name }) => authority.reaches(Name)),
  }));
}

export function getNamespace(call: Call): Promise<Answer> {
  const name = call.params.namespace ?? '';
  demand(call.authority.reaches(name));
  return read(call, 'namespaces', (view) => {
    const namespace = namespaceOf(view, name);
    return namespace
      ? { value: namespace, index: namespace.ModifyIndex }
      : { missing: 'Namespace not found' };
  });
}

/** Makes a namespace, or puts all that it is anew. */
export async function putNamespaceRoute(call: Call): Promise<Answer> {
  const { authority, params, request, scheduler } = call;
  demand(authority.manages);
  const wanted = await decode(request, 'failed to decode the namespace', (body) =>
    readNamespace(new Fields(body)),
  );
  if (params.namespace !== undefined && params.namespace !== wanted.Name) {
    throw new HttpRefusal(400, 'Namespace name does not match request path');
  }
  check(wanted);
  const { ModifyIndex } = await scheduler.state.change((draft) => putNamespace(draft, wanted));
  return done(ModifyIndex);
}

function readNamespace(fields: Fields): Omit<Namespace, keyof Indexes> {
  const capabilities = fields.object('Capabilities');
  return {
    Name: fields.text('Name'),
    Description: fields.text('Description'),
    Meta: fields.textMap('Meta'),
    Quota: fields.text('Quota'),
    Capabilities: capabilities
      ? Object.fromEntries(
          capabilityLists.map((name) => [
            name,
            capabilities.has(name) ? [...capabilities.texts(name)] : null,
          ]),
        )
      : null,
  };
}

/** @throws HttpRefusal 400, 500 (docs/protocol/scheduler.md#namespaces) */
function check({ Name, Description, Quota }: Omit<Namespace, keyof Indexes>): void {
  if (!nameForm.test(Name)) {
    throw new HttpRefusal(500, `invalid name "${Name}". Must match regex ${nameForm.source}`);
  }
  if ([...Description].length > longestDescription) {
    throw new HttpRefusal(500, `description longer than ${longestDescription}`);
  }
  if (Quota !== '') throw new HttpRefusal(400, 'Quota is an enterprise feature: leave it empty');
}

/** Deletes a namespace in which there is nothing. */
export async function removeNamespace(call: Call): Promise<Answer> {
  const { authority, params, scheduler } = call;
  const { state } = scheduler;
  const name = params.namespace ?? '';
  demand(authority.manages);
  const index = await state.change((draft) => {
    if (name === defaultNamespace) throw new HttpRefusal(500, 'can not delete default namespace');
    if (!namespaceOf(draft, name)) throw new HttpRefusal(500, 'namespace not found');
    if (state.keysAfter('variables', keyAt({ Namespace: name, Path: '' }), '', 1).length > 0) {
      throw new HttpRefusal(500, `namespace "${name}" has variables associated with it in regions: [global]`);
    }
    deleteNamespace(draft, name);
    return draft.index;
  });
  return done(index);
}
