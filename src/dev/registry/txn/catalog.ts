import { type Indexes, matchesIndex } from '../../state/indexed.ts';
import type { Authority } from '../acl/authority.ts';
import { isNodeId } from '../http/catalog-fields.ts';
import {
  checkOf,
  deleteCheck,
  deleteNode,
  deleteService,
  findNode,
  ownerOf,
  proxiedBy,
  putCheck,
  putNode,
  putService,
  serviceOf,
} from '../state/catalog.ts';
import type { Draft } from '../state/draft.ts';
import { demandFor, OperationFailure, stale } from './failure.ts';
import type { CatalogOperation } from './operation.ts';

/** A thing of the catalog, as the five verbs act on it. */
interface Subject<Row extends Indexes> {
  readonly kind: 'Node' | 'Service' | 'Check';
  /** How failures name it: `node "n"`. */
  readonly label: string;
  readonly current: Row | undefined;
  /** @throws CatalogError, OperationFailure */
  readonly put: () => Row;
  readonly remove: () => void;
}

/** Does one operation on the catalog. @returns its results. @throws OperationFailure, CatalogError */
export function doCatalog(
  draft: Draft,
  authority: Authority,
  operation: CatalogOperation,
): readonly object[] {
  const { verb, index } = operation;
  const kind = operation.kind.toLowerCase();
  if (!known.includes(verb)) throw new OperationFailure(`unknown ${kind} operation: ${verb}`);
  const subject: Subject<Indexes> = subjectOf(draft, authority, operation);
  const { label, current } = subject;
  switch (verb) {
    case 'get':
      if (!current) throw new OperationFailure(`${label} doesn't exist`);
      return result(subject, current);
    case 'cas':
      if (!matchesIndex(current, index)) throw stale(`set ${label}`);
      return result(subject, subject.put());
    case 'delete-cas':
      if (!current || !matchesIndex(current, index)) throw stale(`delete ${label}`);
      subject.remove();
      return [];
    case 'delete':
      subject.remove();
      return [];
    default:
      return result(subject, subject.put());
  }
}

const known = ['set', 'cas', 'get', 'delete', 'delete-cas'];

function result({ kind }: Subject<Indexes>, row: Indexes): readonly object[] {
  return [{ [kind]: row }];
}

function subjectOf(draft: Draft, authority: Authority, operation: CatalogOperation): Subject<Indexes> {
  switch (operation.kind) {
    case 'Node':
      return nodeSubject(draft, authority, operation);
    case 'Service':
      return serviceSubject(draft, authority, operation);
    case 'Check':
      return checkSubject(draft, authority, operation);
  }
}

type Of<Kind> = Extract<CatalogOperation, { readonly kind: Kind }>;

/** A node is named by its ID, or by its name; a new one, and one that is set, keeps the ID that is known. */
function nodeSubject(draft: Draft, authority: Authority, { verb, node }: Of<'Node'>): Subject<Indexes> {
  if (node.ID === '' && node.Node === '') throw new OperationFailure('Must provide node');
  if (node.ID !== '' && !isNodeId(node.ID)) throw new OperationFailure(`Bad node ID: ${node.ID}`);
  const current = findNode(draft, node) ?? (isPut(verb) ? named() : undefined);
  const name = node.Node || current?.Node || '';
  // The ID may be that of another node than the name: the caller needs permission for both.
  for (const each of new Set([name, current?.Node ?? name]))
    demandFor(authority, rightOf('node', verb), each);
  return {
    kind: 'Node',
    label: `node "${name || node.ID}"`,
    current,
    put: () => {
      if (name === '') throw new OperationFailure('Must provide node');
      return putNode(draft, { ...node, Node: name, ID: node.ID || current?.ID || '' });
    },
    remove: () => current && deleteNode(draft, current.Node),
  };
  function named() {
    return findNode(draft, { ID: '', Node: node.Node });
  }
}

function serviceSubject(
  draft: Draft,
  authority: Authority,
  { verb, on, service }: Of<'Service'>,
): Subject<Indexes> {
  if (on === '') throw new OperationFailure('Must provide node');
  if (service.ID === '') throw new OperationFailure('Must provide service name with ID');
  const current = serviceOf(draft, on, service.ID);
  // A proxy is given to those who look for its destination: it needs permission there too.
  const destination = (isPut(verb) ? proxiedBy(service) : undefined) ?? '';
  const names = [service.Service, current?.Service ?? '', destination].filter((name) => name !== '');
  for (const name of names.length > 0 ? names : ['']) demandFor(authority, rightOf('service', verb), name);
  return {
    kind: 'Service',
    label: `service "${service.ID}" on node "${on}"`,
    current,
    put: () => {
      if (service.Service === '') throw new OperationFailure('Must provide service name with ID');
      return putService(draft, on, service);
    },
    remove: () => deleteService(draft, on, service.ID),
  };
}

/** A check of a service needs permission for the service, any other check for the node. */
function checkSubject(draft: Draft, authority: Authority, { verb, check }: Of<'Check'>): Subject<Indexes> {
  if (check.Node === '') throw new OperationFailure('Must provide node');
  if (check.CheckID === '') throw new OperationFailure('Must provide check ID');
  const current = checkOf(draft, check.Node, check.CheckID);
  const affected = [...(current ? [current] : []), ...(isPut(verb) || !current ? [check] : [])];
  for (const each of affected) {
    const owner = ownerOf(draft, each);
    if (owner === undefined) demandFor(authority, rightOf('node', verb), check.Node);
    else demandFor(authority, rightOf('service', verb), owner);
  }
  return {
    kind: 'Check',
    label: `check "${check.CheckID}" on node "${check.Node}"`,
    current,
    put: () => putCheck(draft, check),
    remove: () => deleteCheck(draft, check.Node, check.CheckID),
  };
}

const isPut = (verb: string): boolean => verb === 'set' || verb === 'cas';

function rightOf<Kind extends 'node' | 'service'>(
  resource: Kind,
  verb: string,
): `${Kind}:read` | `${Kind}:write` {
  return verb === 'get' ? `${resource}:read` : `${resource}:write`;
}
