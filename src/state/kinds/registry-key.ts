import { headersOf } from '../../api/filtered-results.ts';
import type { KvEntry } from '../../api/registry-kv.ts';
import { conflict, isEmptyListError, unlessNotFound } from '../../errors.ts';
import { field } from '../../objects/schema.ts';
import type { Json } from '../../wire/json.ts';
import type { JsonObject, Kind, Live, Services, Write } from '../kind.ts';
import { withWireNames } from '../normalize.ts';
import {
  deleteKeyByTransaction,
  hasNoPath,
  readKeyByTransaction,
  writeKeyByTransaction,
} from './registry-key-transactions.ts';
import { completeList } from './registry-lists.ts';

const schema = field.object(
  {
    value: field.secret({ description: 'The value, as text or encoded. A secret.' }),
    encoding: field.choice(['text', 'base64'], {
      default: 'text',
      description: 'How `value` is written (default text); `base64` for bytes that are not UTF-8 text.',
    }),
    flags: field.integer({ minimum: 0, description: 'A number for applications (default 0).' }),
  },
  { foldsNames: true },
);

/** Bytes as text where they are text, else in base64. */
function encodedValue(bytes: Uint8Array): JsonObject {
  try {
    const value = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { value, encoding: 'text' };
  } catch {
    return { value: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
  }
}

function canonicalSpec(spec: JsonObject): JsonObject {
  const { encoding, value, ...fields } = withWireNames(schema, spec);
  if (value === undefined) return fields;
  return { ...fields, ...encodedValue(bytesOf({ value, encoding: encoding ?? 'text' })) };
}

const bytesOf = ({ value, encoding }: JsonObject): Buffer =>
  Buffer.from(textOf(value), encoding === 'base64' ? 'base64' : 'utf8');

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : String(value);

const liveOf = ({ Value, Flags, ModifyIndex, CreateIndex }: KvEntry): Live => ({
  spec: { ...encodedValue(Buffer.from(Value ?? '', 'base64')), flags: Flags },
  version: String(ModifyIndex),
  uid: String(CreateIndex),
});

/** @throws LanyardError conflict: the service rejected the version. */
const requireApplied = (isApplied: boolean, key: string): void => {
  if (!isApplied) throw conflict(`key "${key}" was changed`, { service: 'registry' });
};

async function write(services: Services, { identity: { key }, spec }: Write, cas: number): Promise<void> {
  const { value, encoding, flags } = withWireNames(schema, spec);
  const content = bytesOf({ value: value ?? '', encoding: encoding ?? 'text' });
  if (hasNoPath(key))
    return writeKeyByTransaction(services, key, { content, flags: BigInt(textOf(flags) || 0), cas });
  const { body } = await (await services.registry()).writeKey({
    key,
    content,
    flags: flags === undefined || flags === null ? undefined : textOf(flags),
    cas,
  });
  requireApplied(body, key);
}

/** A key of the key-value store (docs/protocol/registry.md#key-value-store). Its lock is left alone. */
export const registryKey: Kind = {
  name: 'registry.key',
  service: 'registry',
  description: 'A key of the key-value store of the service registry.',
  scope: [],
  nameIs: 'key, such as app/db/host',
  schema,
  canonicalSpec,
  level: 4,
  guard: 'version',
  holdsSecrets: true,
  mayExportValues: true,
  async list(services) {
    const registry = await services.registry();
    try {
      const keys = await registry.listKeys({ prefix: '', consistent: '' });
      return (await completeList(services, 'keys', keys)).map((key) => ({ scope: {}, key }));
    } catch (error) {
      if (!isEmptyListError(error)) throw error;
      // Also the response without keys may leave out some.
      await completeList(services, 'keys', { headers: headersOf(error), body: [] });
      return [];
    }
  },
  async read(services, { key }) {
    if (hasNoPath(key)) {
      const found = await readKeyByTransaction(services, key);
      return found && liveOf(found);
    }
    const found = await unlessNotFound((await services.registry()).readKey({ key }), isEmptyListError);
    const entry = found?.find(({ Key }) => Key === key);
    return entry && liveOf(entry);
  },
  create: (services, object) => write(services, object, 0),
  update: (services, object) => write(services, object, Number(object.live.version)),
  async remove(services, { key }, { version }) {
    if (hasNoPath(key)) return deleteKeyByTransaction(services, key, Number(version));
    const { body } = await (await services.registry()).deleteKey({ key, cas: Number(version) });
    requireApplied(body, key);
  },
};
