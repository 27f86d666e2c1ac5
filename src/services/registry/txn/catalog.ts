import { type Indexes, matchesIndex } from '../../core/state/state-table.ts';
import { uuidPattern } from '../../core/uuid.ts';
import type { Permissions, Right } from '../acl/permissions.ts';
import {
  checkOf,
  deleteCheck,
  deleteNode,
  deleteService,
  findNode,
  ownerOf,
  proxyDestination,
  putCheck,
  putNode,
  putService,
  serviceOf,
} from '../model/catalog.ts';
import type { Transaction } from '../model/tables.ts';
import { requirePermission } from '../require-permission.ts';
import { OperationFailure, staleIndexError } from './failure.ts';
import type { CatalogOperation } from './operation.ts';

/** A resource of the catalog, as the target of a verb. */
interface Subject<Row extends Indexes> {
  readonly kind: 'Node' | 'Service' | 'Check';
  /** Its name in failures: `node "n"`. */
  readonly label: string;
  readonly current: Row | undefined;
  /** @throws HttpError */
  readonly put: () => Row;
  readonly remove: () => void;
}

/** Applies one operation on the catalog. @returns its results. @throws HttpError */
export function applyCatalogOperation(
  transaction: Transaction,
  permissions: Permissions,
  operation: CatalogOperation,
): readonly object[] {
  const { verb, index } = operation;
  const kind = operation.kind.toLowerCase();
  if (!catalogVerbs.includes(verb)) throw new OperationFailure(`unknown ${kind} operation: ${verb}`);
  const subject: Subject<Indexes> = subjectOf(transaction, permissions, operation);
  const { label, current } = subject;
  switch (verb) {
    case 'get':
      if (!current) throw new OperationFailure(`${label} doesn't exist`);
      return toResults(subject, current);
    case 'cas':
      if (!matchesIndex(current, index)) throw staleIndexError(`set ${label}`);
      return toResults(subject, subject.put());
    case 'delete-cas':
      if (!current || !matchesIndex(current, index)) throw staleIndexError(`delete ${label}`);
      subject.remove();
      return [];
    case 'delete':
      subject.remove();
      return [];
    default:
      return toResults(subject, subject.put());
  }
}

const catalogVerbs = ['set', 'cas', 'get', 'delete', 'delete-cas'];

const toResults = ({ kind }: Subject<Indexes>, row: Indexes): readonly object[] => [{ [kind]: row }];

function subjectOf(
  transaction: Transaction,
  permissions: Permissions,
  operation: CatalogOperation,
): Subject<Indexes> {
  switch (operation.kind) {
    case 'Node':
      return nodeSubject(transaction, permissions, operation);
    case 'Service':
      return serviceSubject(transaction, permissions, operation);
    case 'Check':
      return checkSubject(transaction, permissions, operation);
  }
}

type OperationOf<Kind> = Extract<CatalogOperation, { readonly kind: Kind }>;

/** A node is identified by its ID or its name; `set` and `cas` keep a known ID. */
function nodeSubject(
  transaction: Transaction,
  permissions: Permissions,
  { verb, node }: OperationOf<'Node'>,
): Subject<Indexes> {
  if (node.ID === '' && node.Node === '') throw new OperationFailure('Must provide node');
  if (node.ID !== '' && !uuidPattern.test(node.ID)) throw new OperationFailure(`Bad node ID: ${node.ID}`);
  const current = findNode(transaction, node) ?? (isWrite(verb) ? findByName() : undefined);
  const name = node.Node || current?.Node || '';
  // ID and name may belong to different nodes: the caller needs permission for both.
  for (const each of new Set([name, current?.Node ?? name]))
    requirePermission(permissions, `node:${rightFor(verb)}`, each);
  return {
    kind: 'Node',
    label: `node "${name || node.ID}"`,
    current,
    put: () => {
      if (name === '') throw new OperationFailure('Must provide node');
      return putNode(transaction, { ...node, Node: name, ID: node.ID || current?.ID || '' });
    },
    remove: () => current && deleteNode(transaction, current.Node),
  };
  function findByName() {
    return findNode(transaction, { ID: '', Node: node.Node });
  }
}

function serviceSubject(
  transaction: Transaction,
  permissions: Permissions,
  { verb, nodeName, service }: OperationOf<'Service'>,
): Subject<Indexes> {
  if (nodeName === '') throw new OperationFailure('Must provide node');
  if (service.ID === '') throw new OperationFailure('Must provide service name with ID');
  const current = serviceOf(transaction, nodeName, service.ID);
  // A proxy is returned to clients of its destination: it needs permission for that too.
  const destination = (isWrite(verb) ? proxyDestination(service) : undefined) ?? '';
  const names = [service.Service, current?.Service ?? '', destination].filter((name) => name !== '');
  for (const name of names.length > 0 ? names : [''])
    requirePermission(permissions, `service:${rightFor(verb)}`, name);
  return {
    kind: 'Service',
    label: `service "${service.ID}" on node "${nodeName}"`,
    current,
    put: () => {
      if (service.Service === '') throw new OperationFailure('Must provide service name with ID');
      return putService(transaction, nodeName, service);
    },
    remove: () => deleteService(transaction, nodeName, service.ID),
  };
}

/** A check of a service needs permission for the service, any other check for the node. */
function checkSubject(
  transaction: Transaction,
  permissions: Permissions,
  { verb, check }: OperationOf<'Check'>,
): Subject<Indexes> {
  if (check.Node === '') throw new OperationFailure('Must provide node');
  if (check.CheckID === '') throw new OperationFailure('Must provide check ID');
  const current = checkOf(transaction, check.Node, check.CheckID);
  const affected = [...(current ? [current] : []), ...(isWrite(verb) || !current ? [check] : [])];
  for (const each of affected) {
    const owner = ownerOf(transaction, each);
    if (owner === undefined) requirePermission(permissions, `node:${rightFor(verb)}`, check.Node);
    else requirePermission(permissions, `service:${rightFor(verb)}`, owner);
  }
  return {
    kind: 'Check',
    label: `check "${check.CheckID}" on node "${check.Node}"`,
    current,
    put: () => putCheck(transaction, check),
    remove: () => deleteCheck(transaction, check.Node, check.CheckID),
  };
}

const isWrite = (verb: string): boolean => verb === 'set' || verb === 'cas';
const rightFor = (verb: string): Right => (verb === 'get' ? 'read' : 'write');
