import type { Json } from '../../../wire/json.ts';
import { FieldError, Fields } from '../../core/http/fields.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { readCheck, readNode, readService } from '../catalog-fields.ts';
import { fieldNames, rejectUnknownFields } from '../known-fields.ts';
import { maxValueBytes } from '../model/kv.ts';
import { checkTenancy } from '../read-parameters.ts';

export type Operation = ReturnType<typeof readOperation>;
export type KvOperation = ReturnType<typeof readKv>;
/** An operation on the catalog; `index` is the expected one of a check-and-set. */
export type CatalogOperation = Exclude<Operation, KvOperation>;

/** Maximum operations of a transaction (docs/protocol/transactions.md#failures). */
const maxOperations = 64;

const operationNames = {
  KV: fieldNames('Verb Key Value Flags Index Session Namespace Partition'),
  Node: fieldNames('Verb Node'),
  Service: fieldNames('Verb Node Service'),
  Check: fieldNames('Verb Check'),
} as const;
const nodeNames = fieldNames(
  'ID Node Address Datacenter TaggedAddresses Meta Locality Namespace Partition PeerName CreateIndex ModifyIndex',
);

const kinds = ['KV', 'Node', 'Service', 'Check'] as const;

/**
 * Reads the body of a transaction (docs/protocol/transactions.md#operations).
 * @param datacenter the datacenter of the nodes
 * @throws FieldError: malformed; HttpError 413: too many operations, or a value that is too large; 400: a namespace
 */
export function readOperations(body: Json | undefined, datacenter: string): Operation[] {
  if (!Array.isArray(body)) throw new FieldError('the body must be an array of operations');
  if (body.length > maxOperations) {
    throw new HttpError(413, `Transaction contains too many operations (${body.length} > ${maxOperations})`);
  }
  return body.map((each, index) => readOperation(new Fields(each, `operation ${index}`), datacenter));
}

function readOperation(fields: Fields, datacenter: string) {
  const [kind, ...others] = kinds.filter((each) => fields.has(each));
  const operationFields = kind && fields.object(kind);
  if (!operationFields) throw new FieldError('unknown operation type');
  if (others.length > 0) throw new FieldError(`an operation has exactly one of ${kinds.join(', ')}`);
  const verb = operationFields.string('Verb');
  rejectUnknownFields(fields.get(kind), operationNames[kind]);
  if (kind === 'KV') return readKv(operationFields, verb);
  const value = operationFields.get(kind) ?? {};
  const object = new Fields(value, kind);
  const index = object.index('ModifyIndex');
  switch (kind) {
    case 'Node':
      return { kind, verb, index, node: readTxnNode(value, object, datacenter) };
    case 'Service':
      return {
        kind,
        verb,
        index,
        nodeName: operationFields.string('Node'),
        service: readService(value),
        /** As sent, without the default of a write. */
        serviceId: object.string('ID'),
      };
    case 'Check':
      return { kind, verb, index, check: readCheck(value) };
  }
}

function readTxnNode(value: Json, fields: Fields, datacenter: string) {
  rejectUnknownFields(value, nodeNames);
  return readNode(fields, 'Meta', datacenter);
}

/** @param verb as sent; an unknown verb fails when the operation is applied */
function readKv(fields: Fields, verb: string) {
  checkTenancy(fields);
  const key = fields.string('Key');
  const value = fields.string('Value');
  const bytes = Buffer.from(value, 'base64');
  if (bytes.toString('base64') !== value) throw new FieldError(`Value of key "${key}" is not base64`);
  if (bytes.length > maxValueBytes) {
    throw new HttpError(
      413,
      `Value for key "${key}" is too large (${bytes.length} > ${maxValueBytes} bytes)`,
    );
  }
  return {
    kind: 'KV' as const,
    verb,
    key,
    /** Base64. */
    value,
    flags: fields.unsigned('Flags'),
    index: fields.index('Index'),
    session: fields.string('Session'),
  };
}

const kvWrites = ['set', 'cas', 'delete', 'delete-cas', 'delete-tree', 'lock', 'unlock'];

/** Whether the operation only reads (docs/protocol/transactions.md#results). */
export function isRead({ kind, verb }: Operation): boolean {
  return kind === 'KV' ? !kvWrites.includes(verb) : verb === 'get';
}
