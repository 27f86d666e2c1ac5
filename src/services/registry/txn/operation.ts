import type { Json } from '../../../wire/json.ts';
import { FieldError } from '../../core/http/decode-body.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { goRulesFor } from '../../core/schema/go-rules.ts';
import { read } from '../../core/schema/read.ts';
import * as s from '../../core/schema/types.ts';
import { checkInput, checkOfInput, nodeInput, serviceInput, serviceOfInput } from '../catalog-fields.ts';
import { flags, maxValueBytes } from '../model/kv.ts';
import { strictly } from '../read-body.ts';
import { partitionFields } from '../read-parameters.ts';

export type Operation = ReturnType<typeof readOperation>;
export type KvOperation = ReturnType<typeof kvOperationOf>;
/** An operation on the catalog; `index` is the expected one of a check-and-set. */
export type CatalogOperation = Exclude<Operation, KvOperation>;

/** Maximum operations of a transaction (docs/protocol/transactions.md#failures). */
const maxOperations = 64;

const kvReads = ['get', 'get-or-empty', 'get-tree', 'check-index', 'check-session', 'check-not-exists'];
const kvWrites = ['set', 'cas', 'delete', 'delete-cas', 'delete-tree', 'lock', 'unlock'];
export const catalogVerbs = ['set', 'cas', 'get', 'delete', 'delete-cas'];
const verbOf = (verbs: readonly string[]) => s.required(s.string(`One of ${verbs.join(', ')}.`));
const catalogVerb = verbOf(catalogVerbs);

const kvOperation = s.object({
  Verb: verbOf([...kvReads, ...kvWrites]),
  Key: s.required(s.string()),
  Value: s.string('Base64.'),
  Flags: flags,
  Index: s.int64(),
  Session: s.string(),
  ...partitionFields,
});

const operationType = s.named(
  'TransactionOperation',
  s.object(
    {
      KV: s.optional(kvOperation),
      Node: s.optional(s.object({ Verb: catalogVerb, Node: nodeInput })),
      Service: s.optional(s.object({ Verb: catalogVerb, Node: s.string(), Service: serviceInput })),
      Check: s.optional(s.object({ Verb: catalogVerb, Check: checkInput })),
    },
    'Exactly one of the fields.',
  ),
);

/** Other fields of an operation have no effect. */
const openType = s.open(operationType);

/** The body of a transaction (docs/protocol/transactions.md#operations); null: no operations. */
export const operationsInput = s.nullable(s.converted(s.list(operationType), readOperations));

/**
 * Reads the body of a transaction (docs/protocol/transactions.md#operations).
 * @throws FieldError: malformed; HttpError 413: too many operations, or a value that is too large; 400: a namespace
 */
export function readOperations(body: Json): Operation[] {
  if (!Array.isArray(body)) throw new FieldError('the body must be an array of operations');
  if (body.length > maxOperations) {
    throw new HttpError(413, `Transaction contains too many operations (${body.length} > ${maxOperations})`);
  }
  return body.map(readOperation);
}

function readOperation(value: Json, position: number) {
  const { KV, Node, Service, Check } = read(openType, value, strictly(goRulesFor(`operation ${position}`)));
  const given = [KV, Node, Service, Check].filter((each) => each !== undefined);
  if (given.length > 1) throw new FieldError('an operation has exactly one of KV, Node, Service, Check');
  if (KV) return kvOperationOf(KV);
  if (Node) {
    const { ModifyIndex, ...node } = Node.Node;
    return { kind: 'Node' as const, verb: Node.Verb, index: Number(ModifyIndex), node };
  }
  if (Service) {
    const { Verb: verb, Node: nodeName, Service: input } = Service;
    return {
      kind: 'Service' as const,
      verb,
      index: Number(input.ModifyIndex),
      nodeName,
      service: serviceOfInput(input),
      /** As sent, without the default of a write. */
      serviceId: input.ID,
    };
  }
  if (!Check) throw new FieldError('unknown operation type');
  return {
    kind: 'Check' as const,
    verb: Check.Verb,
    index: Number(Check.Check.ModifyIndex),
    check: checkOfInput(Check.Check),
  };
}

/** Its verb is as sent: an unknown one fails when the operation is applied. */
function kvOperationOf({ Verb, Key, Value, Flags, Index, Session }: s.Input<typeof kvOperation>) {
  const bytes = Buffer.from(Value, 'base64');
  if (bytes.toString('base64') !== Value) throw new FieldError(`Value of key "${Key}" is not base64`);
  if (bytes.length > maxValueBytes) {
    throw new HttpError(
      413,
      `Value for key "${Key}" is too large (${bytes.length} > ${maxValueBytes} bytes)`,
    );
  }
  return {
    kind: 'KV' as const,
    verb: Verb,
    key: Key,
    /** Base64. */
    value: Value,
    flags: Flags,
    index: Number(Index),
    session: Session,
  };
}

/** Whether the operation only reads (docs/protocol/transactions.md#results). */
export function isRead({ kind, verb }: Operation): boolean {
  return kind === 'KV' ? !kvWrites.includes(verb) : verb === 'get';
}
