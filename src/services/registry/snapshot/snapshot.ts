import { isDeepStrictEqual } from 'node:util';
import { formatJson, type Json, parseJson } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { forEachInSlices } from '../../core/in-slices.ts';
import type { Table } from '../../core/store/table.ts';
import type { State, Transaction, View } from '../model/tables.ts';
import { InvalidArchive, readArchive, writeArchive } from './archive.ts';

/** The first line of a state, as JSON. */
interface Header {
  readonly format: 'lanyard-registry';
  readonly version: 1;
  readonly datacenter: string;
}

/** The rows of a datacenter, by their keys, and the index that they had. */
interface Snapshot {
  readonly rows: ReadonlyMap<string, Json>;
  readonly index: number;
}

interface Parts {
  readonly datacenter: string;
  readonly state: State;
  /** The tables that a snapshot has. */
  readonly tables: readonly Table<object>[];
}

/** The state of a datacenter as an archive (docs/protocol/registry.md#snapshots), and its index. */
export async function saveSnapshot({ datacenter, state, tables }: Parts) {
  const header: Header = { format: 'lanyard-registry', version: 1, datacenter };
  const lines = [formatJson(header)];
  const index = await state.read(async (view) => {
    const { lastIndex } = state;
    await forEachInSlices(keysOf(view, tables), (key) => {
      lines.push(formatJson([key, view.get(key) ?? null]));
    });
    return lastIndex;
  });
  const content = Buffer.from(`${lines.join('\n')}\n`);
  const meta = { Version: 1, ID: `1-${index}-${state.now}`, Index: index, Term: 1, Size: content.length };
  const archive = { meta: Buffer.from(`${formatJson(meta)}\n`), state: content };
  return { index, bytes: await writeArchive(archive, Math.floor(state.now / 1000)) };
}

/**
 * Reads the rows of an archive.
 *
 * @throws InvalidArchive it is damaged, of another product or datacenter, or has rows that no table accepts
 */
export async function readSnapshot(
  bytes: Uint8Array,
  { datacenter, tables }: Pick<Parts, 'datacenter' | 'tables'>,
): Promise<Snapshot> {
  const archive = await readArchive(bytes);
  const [first = '', ...lines] = archive.state.toString().split('\n');
  const header = tryParse(first);
  if (!isObject(header) || header.format !== 'lanyard-registry')
    throw new InvalidArchive(
      'the snapshot is not of an embedded registry: only a server of the same product can restore it',
    );
  if (header.version !== 1)
    throw new InvalidArchive('the snapshot is of a newer version of the embedded registry');
  if (header.datacenter !== datacenter)
    throw new InvalidArchive(
      `the snapshot is of datacenter "${String(header.datacenter)}", not of "${datacenter}"`,
    );
  const rows = new Map<string, Json>();
  await forEachInSlices(
    lines.filter((line) => line !== ''),
    (line) => {
      const entry = tryParse(line);
      const [key, row] = Array.isArray(entry) ? entry : [];
      const table = tables.find(({ prefix }) => typeof key === 'string' && key.startsWith(prefix));
      if (typeof key !== 'string' || row === undefined || !table?.accepts(row))
        throw new InvalidArchive(
          'the snapshot has a row that this version of the embedded registry cannot read',
        );
      rows.set(key, row);
    },
  );
  const meta = tryParse(archive.meta.toString());
  return { rows, index: isObject(meta) && typeof meta.Index === 'number' ? meta.Index : 0 };
}

/** Replaces all rows of the tables; yields after each one. */
export function* replaceRows(
  transaction: Transaction,
  { rows }: Pick<Snapshot, 'rows'>,
  tables: Parts['tables'],
): Generator<unknown> {
  for (const key of keysOf(transaction, tables)) if (!rows.has(key)) yield transaction.write({ key });
  for (const [key, value] of rows) {
    if (!isDeepStrictEqual(transaction.get(key), value)) transaction.write({ key, value });
    yield;
  }
}

function* keysOf(view: View, tables: Parts['tables']): Generator<string> {
  for (const { prefix } of tables) yield* view.keys(prefix);
}

function tryParse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
