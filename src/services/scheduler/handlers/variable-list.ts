import { formatJson, parseJson } from '../../../wire/json.ts';
import type { Filter } from '../../core/bexpr/filter.ts';
import { EncodedJson } from '../../core/blocking-query.ts';
import { HttpError } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import { yieldToEventLoop } from '../../core/yield-to-event-loop.ts';
import { blockingParameters, blockingQuery, prefixParameter, type QueryResult } from '../blocking-query.ts';
import { type Call, operations } from '../call.ts';
import { defaultNamespace, namespaces as namespaceTable } from '../model/namespaces.ts';
import type { State } from '../model/tables.ts';
import {
  encodeListed,
  type Lock,
  metadataOf,
  parseVariableKey,
  type Variable,
  type VariablePath,
  variableKey,
  variableMetadata,
  variableOf,
  variablesAfter,
  variablesBefore,
} from '../model/variables.ts';
import { filterError, metadataField, readVariableFilter } from '../variable-filter.ts';
import { allNamespaces, visibleLock } from '../variable-request.ts';

/** Variables that are read without yielding to the event loop. */
const batchSize = 128;
/** Attempts to list all variables at one index. */
const maxAttempts = 3;

const pageSize = s.integer('Maximum number of variables in a page; 0: unlimited.', {
  minimum: 0,
  default: 0,
});
const query = {
  namespace: s.string('Namespace; `*` for all.', { default: defaultNamespace }),
  ...prefixParameter,
  filter: s.string('A filter expression, such as `Path contains "app"`.'),
  per_page: s.converted(pageSize, (value) => {
    if (/^\d{0,9}$/.test(String(value))) return Number(value);
    throw new HttpError(400, `invalid per_page "${value}"`);
  }),
  next_token: s.string('The page token of the last response.'),
  reverse: s.converted(s.boolean('Reverse the order.', { default: false }), (value) => value === 'true'),
  ...blockingParameters,
};

type ListOptions = Omit<s.Input<s.ObjectType<typeof query>>, 'filter'> & {
  readonly filter: Filter | undefined;
};

export const listVariables = operations('Variables')('listVariables', 'List variables, without their items', {
  description: 'Only variables that the caller may list, ordered by namespace and path.',
  query,
  returns: s.list(variableMetadata),
  responseHeaders: 'page',
  errors: [400],
  async handle(call) {
    const { filter, ...options } = call.query();
    const compiled = filter === '' ? undefined : await readVariableFilter(filter);
    return blockingQuery(call, 'variables', () => list(call, { ...options, filter: compiled }));
  },
});

/** A token names the first item of the page: `namespace.path`, or only a namespace. */
function parsePageToken(token: string): VariablePath | undefined {
  if (token === '') return undefined;
  const [Namespace = '', ...path] = token.split('.');
  return { Namespace, Path: path.join('.') };
}

const pageTokenOf = ({ Namespace, Path }: VariablePath): string => `${Namespace}.${Path}`;

/** Lists at one index. If writes interfere, it is the index at the start: a client that waits with it gets all later changes. */
async function list(call: Call, options: ListOptions): Promise<QueryResult> {
  const { state } = call.scheduler;
  for (let attemptsLeft = maxAttempts; ; attemptsLeft--) {
    const index = state.indexOf('variables');
    const page = await readPage(call, options);
    if (attemptsLeft <= 1 || state.indexOf('variables') === index) return { ...pageResult(page), index };
  }
}

interface Page {
  readonly items: EncodedItems;
  readonly next: VariablePath | undefined;
}

async function readPage(call: Call, options: ListOptions): Promise<Page> {
  const items = new EncodedItems(call.request.query.has('pretty'));
  let remaining = options.per_page || Number.POSITIVE_INFINITY;
  for await (const batch of variableBatches(call.scheduler.state, options)) {
    const matches = selectVariables(call, options, batch);
    const pageItems = matches.slice(0, remaining);
    items.add(pageItems);
    remaining -= pageItems.length;
    const next = matches[pageItems.length];
    if (next) return { items, next: next.variablePath };
  }
  return { items, next: undefined };
}

const pageResult = ({ items, next }: Page): Pick<QueryResult, 'value' | 'serviceHeaders'> => ({
  value: items.end(),
  ...(next && { serviceHeaders: { NextToken: pageTokenOf(next) } }),
});

/** Characters that are encoded as bytes at once: encoding a long list in one step would block. */
const chunkLength = 256 * 1024;

class EncodedItems {
  readonly #isPretty: boolean;
  readonly #chunks: Buffer[] = [];
  #text = '[';
  #separator = '';

  constructor(isPretty: boolean) {
    this.#isPretty = isPretty;
  }

  add(listed: readonly Listed[]): void {
    let text = '';
    for (const { variablePath, variable, lock } of listed)
      text += `${text === '' ? '' : ','}${encodeListed(variablePath, variable, lock)}`;
    if (text === '') return;
    // Without its brackets, and without the end of the last line.
    this.#text +=
      this.#separator + (this.#isPretty ? formatJson(parseJson(`[${text}]`), 4).slice(1, -2) : text);
    this.#separator = ',';
    if (this.#text.length < chunkLength) return;
    this.#chunks.push(Buffer.from(this.#text));
    this.#text = '';
  }

  /** @returns as {@link QueryResult} has it */
  end(): EncodedJson | Buffer {
    if (!this.#isPretty && this.#chunks.length === 0) return new EncodedJson(`${this.#text}]`);
    const prettyEnd = this.#separator === '' ? ']\n' : '\n]\n';
    const text = this.#text + (this.#isPretty ? prettyEnd : ']');
    return Buffer.concat([...this.#chunks, Buffer.from(text)]);
  }
}

interface Listed {
  readonly variablePath: VariablePath;
  readonly variable: Variable;
  readonly lock: Lock | undefined;
}

function selectVariables({ permissions, scheduler }: Call, { filter }: ListOptions, batch: readonly Entry[]) {
  const { state } = scheduler;
  const hasLocks = state.rows('locks').keysAfter('', '', 1).length > 0;
  const visible: Listed[] = [];
  for (const [key, variable] of batch) {
    const variablePath = parseVariableKey(key);
    if (!permissions.allows('list', variablePath)) continue;
    const lock = hasLocks ? visibleLock(permissions, state.view, variablePath) : undefined;
    visible.push({ variablePath, variable, lock });
  }
  if (!filter) return visible;
  try {
    return filter
      .select(
        visible.map((each) => {
          const metadata = metadataOf(each.variablePath, each.variable, each.lock);
          return { [metadataField]: metadata, each };
        }),
      )
      .map(({ each }) => each);
  } catch (error) {
    throw filterError(error, 'failed to read result page');
  }
}

type Entry = readonly [key: string, variable: Variable];

/** The variables in range, in batches, in order. */
async function* variableBatches(
  state: State,
  { namespace, prefix, per_page: perPage, next_token, reverse, filter }: ListOptions,
): AsyncGenerator<Entry[]> {
  const from = parsePageToken(next_token);
  // Without a filter, no more than the page and the first item of the next.
  const firstSize = perPage > 0 && !filter ? Math.min(perPage + 1, batchSize) : batchSize;
  const all = namespace === allNamespaces ? namespaceTable.keys(state.view) : [namespace || defaultNamespace];
  const namespaces = reverse ? all.reverse() : all;
  const nextVariables = reverse ? variablesBefore : variablesAfter;
  for (const Namespace of namespaces) {
    const keyPrefix = variableKey({ Namespace, Path: prefix });
    if (from && (reverse ? Namespace > from.Namespace : Namespace < from.Namespace)) continue;
    let position = from?.Namespace === Namespace ? variableKey(from) : '';
    // The first key is part of the page.
    const first = position.startsWith(keyPrefix)
      ? variableOf(state.view, parseVariableKey(position))
      : undefined;
    if (first) yield [[position, first]];
    for (let size = firstSize; ; size = batchSize) {
      // One more than the batch, to see whether it is the last.
      const batch = nextVariables(state, keyPrefix, position, size + 1);
      const hasMore = batch.length > size;
      if (hasMore) batch.pop();
      if (batch.length > 0) yield batch;
      if (!hasMore) break;
      await yieldToEventLoop();
      position = batch.at(-1)?.[0] ?? '';
    }
    if (namespaces.length > 1) await yieldToEventLoop();
  }
}
