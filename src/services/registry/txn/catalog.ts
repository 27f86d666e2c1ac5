import { type Indexes, matchesIndex } from '../../core/state/state-table.ts';
import { uuidPattern } from '../../core/uuid.ts';
import {
  type Check,
  checkOf,
  deleteCheck,
  deleteNode,
  deleteService,
  findNode,
  type Node,
  ownerOf,
  proxyDestination,
  putCheck,
  putNode,
  putService,
  type Service,
  serviceOf,
} from '../model/catalog.ts';
import { requireOwnerWrite, requirePermission } from '../require-permission.ts';
import { problemOfUuid, problemOfWrittenService } from '../service-rules.ts';
import { serviceView } from '../service-view.ts';
import { InvalidOperation, OperationFailure, staleIndexError } from './failure.ts';
import { type CatalogOperation, catalogVerbs } from './operation.ts';
import type { OperationParts } from './parts.ts';

/** A resource of the catalog, as the target of a verb. */
interface Subject {
  readonly kind: 'Node' | 'Service' | 'Check';
  /** Its name in failures: `node "n"`. */
  readonly label: string;
  readonly current: Indexes | undefined;
  /** @throws HttpError */
  readonly put: () => Indexes;
  readonly remove: () => void;
}

/** Applies one operation on the catalog. @returns its results. @throws HttpError */
export function applyCatalogOperation(parts: OperationParts, operation: CatalogOperation): readonly object[] {
  const { verb, index } = operation;
  const kind = operation.kind.toLowerCase();
  if (!catalogVerbs.includes(verb)) throw new InvalidOperation(`unknown ${kind} operation: ${verb}`);
  if (verb === 'get') return readResource(parts, operation);
  const subject = subjectOf(parts, operation);
  const { label, current } = subject;
  switch (verb) {
    case 'cas':
      if (!matchesIndex(current, index)) throw staleIndexError(`set ${label}`);
      return toResults(subject.kind, subject.put());
    case 'delete-cas':
      if (!current || !matchesIndex(current, index)) throw staleIndexError(`delete ${label}`);
      subject.remove();
      return [];
    case 'delete':
      subject.remove();
      return [];
    default:
      return toResults(subject.kind, subject.put());
  }
}

/** Without tags, a service or check has null for them here, as in the product. */
function toResults(kind: Subject['kind'], row: Indexes): readonly object[] {
  if (kind === 'Node') return [{ Node: row }];
  if (kind === 'Check') {
    const check = row as Check;
    return [{ Check: { ...check, ServiceTags: check.ServiceTags.length > 0 ? check.ServiceTags : null } }];
  }
  const service = serviceView(row as Service);
  return [{ Service: { ...service, Tags: service.Tags.length > 0 ? service.Tags : null } }];
}

/** Reads a resource; without permission for it, there is no result. @throws OperationFailure: it does not exist */
function readResource(parts: OperationParts, operation: CatalogOperation): readonly object[] {
  const { permissions } = parts;
  const found = find(parts, operation);
  if (found.row === undefined) throw new OperationFailure(`${found.label} doesn't exist`);
  const { kind, row, owner, node } = found;
  const isVisible =
    owner === undefined ? permissions.allows('node:read', node) : permissions.allows('service:read', owner);
  if (isVisible) return toResults(kind, row);
  parts.onHidden();
  return [];
}

/** The resource that an operation reads. `owner`: the service whose permission it needs instead of the node's. */
function find({ transaction }: OperationParts, operation: CatalogOperation) {
  const { kind } = operation;
  switch (operation.kind) {
    case 'Node': {
      const row: Node | undefined = findNode(transaction, operation.node);
      const { ID, Node: name } = operation.node;
      return { kind, row, label: `node "${name || ID}"`, owner: undefined, node: row?.Node ?? '' };
    }
    case 'Service': {
      const { nodeName, serviceId } = operation;
      const row: Service | undefined = serviceOf(transaction, nodeName, serviceId);
      const label = `service "${serviceId}" on node "${nodeName}"`;
      return { kind, row, label, owner: row?.Service, node: nodeName };
    }
    case 'Check': {
      const { Node: node, CheckID } = operation.check;
      if (node === '' || CheckID === '')
        throw new OperationFailure(
          'failed check lookup: index error: object is missing a value for this index',
        );
      const row: Check | undefined = checkOf(transaction, node, CheckID);
      const label = `check "${CheckID}" on node "${node}"`;
      return { kind, row, label, owner: row && ownerOf(transaction, row), node };
    }
  }
}

function subjectOf(parts: OperationParts, operation: CatalogOperation): Subject {
  if (operation.kind === 'Node') return nodeSubject(parts, operation);
  return operation.kind === 'Service' ? serviceSubject(parts, operation) : checkSubject(parts, operation);
}

type OperationOf<Kind> = Extract<CatalogOperation, { readonly kind: Kind }>;

/** A node is identified by its ID or its name; `set` and `cas` keep a known ID. */
function nodeSubject(
  { transaction, permissions }: OperationParts,
  { verb, node }: OperationOf<'Node'>,
): Subject {
  if (node.ID === '' && node.Node === '') throw new InvalidOperation('Must provide node');
  if (node.ID !== '' && !uuidPattern.test(node.ID))
    throw new InvalidOperation(`Bad node ID: ${problemOfUuid(node.ID)}`);
  const findByName = () => findNode(transaction, { ID: '', Node: node.Node });
  const current = findNode(transaction, node) ?? (isWrite(verb) ? findByName() : undefined);
  const name = node.Node || current?.Node || '';
  // ID and name may belong to different nodes: the caller needs permission for both.
  for (const each of new Set([name, current?.Node ?? name]))
    requirePermission(permissions, 'node:write', each);
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
}

function serviceSubject(
  { transaction, permissions }: OperationParts,
  { verb, nodeName, service }: OperationOf<'Service'>,
): Subject {
  const problem = problemOfWrittenService(service);
  if (problem !== undefined) throw new InvalidOperation(problem);
  if (nodeName === '') throw new OperationFailure('Missing node registration');
  const current = serviceOf(transaction, nodeName, service.ID);
  // A proxy is returned to clients of its destination: it needs permission for that too.
  const destination = (isWrite(verb) ? proxyDestination(service) : undefined) ?? '';
  const names = [service.Service, current?.Service ?? '', destination].filter((name) => name !== '');
  for (const name of names) requirePermission(permissions, 'service:write', name);
  return {
    kind: 'Service',
    label: `service "${service.ID}" on node "${nodeName}"`,
    current,
    put: () => putService(transaction, nodeName, service),
    remove: () => deleteService(transaction, nodeName, service.ID),
  };
}

/** What Consul calls the lookup of a check without a node. */
const lookupFailures: Readonly<Record<string, string>> = {
  set: 'failed health check lookup',
  delete: 'check lookup failed',
  'delete-cas': 'check lookup failed: failed check lookup',
};

function checkSubject(
  { transaction, permissions }: OperationParts,
  { verb, check }: OperationOf<'Check'>,
): Subject {
  if (check.Node === '') {
    const what = lookupFailures[verb] ?? 'failed check lookup';
    throw new OperationFailure(`${what}: index error: object is missing a value for this index`);
  }
  if (check.CheckID === '') throw new InvalidOperation('Must provide check ID');
  const current = checkOf(transaction, check.Node, check.CheckID);
  const affected = [...(current ? [current] : []), ...(isWrite(verb) || !current ? [check] : [])];
  for (const each of affected) requireOwnerWrite(permissions, check.Node, ownerOf(transaction, each));
  return {
    kind: 'Check',
    label: `check "${check.CheckID}" on node "${check.Node}"`,
    current,
    put: () => putCheck(transaction, check),
    remove: () => deleteCheck(transaction, check.Node, check.CheckID),
  };
}

const isWrite = (verb: string): boolean => verb === 'set' || verb === 'cas';
