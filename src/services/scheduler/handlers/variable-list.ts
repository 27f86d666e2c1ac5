import { formatJson, parseJson } from '../../../wire/json.ts';
import { compileFilter, type Filter } from '../../core/bexpr/filter.ts';
import { ExpressionError } from '../../core/bexpr/tokens.ts';
import { HttpError, type HttpRequest, type HttpResponse } from '../../core/http/http-service.ts';
import { yieldToEventLoop } from '../../core/yield-to-event-loop.ts';
import { blockingQuery, type QueryResult } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { defaultNamespace, namespaceTable } from '../model/namespaces.ts';
import type { State } from '../model/tables.ts';
import {
  encodeVariable,
  type Lock,
  metadataOf,
  parseVariableKey,
  type Variable,
  type VariablePath,
  variableKey,
  variableOf,
  variableTable,
} from '../model/variables.ts';
import { allNamespaces, visibleLock } from '../variable-request.ts';

/** Variables that are read without yielding to the event loop. */
const batchSize = 250;
/** Attempts to list all variables at one index. */
const maxAttempts = 3;

interface ListOptions {
  /** Empty: all namespaces. */
  readonly namespace: string;
  readonly prefix: string;
  /** Maximum number of items; 0: unlimited. */
  readonly perPage: number;
  /** First item of the page; undefined: the first of all. */
  readonly from: VariablePath | undefined;
  readonly reverse: boolean;
  readonly filter: Filter | undefined;
}

/**
 * Lists variables without their items, ordered by namespace and path, in pages: those that the caller may list, of
 * one or all namespaces, below a prefix, that match a filter.
 */
export async function listVariables(call: Call): Promise<HttpResponse> {
  const options = await readListOptions(call.request);
  return blockingQuery(call, 'variables', () => list(call, options));
}

async function readListOptions({ query }: HttpRequest): Promise<ListOptions> {
  const namespace = query.get('namespace') || defaultNamespace;
  const perPage = query.get('per_page') || '0';
  if (!/^\d{1,9}$/.test(perPage)) throw new HttpError(400, `invalid per_page "${perPage}"`);
  const filter = query.get('filter') ?? '';
  return {
    namespace: namespace === allNamespaces ? '' : namespace,
    prefix: query.get('prefix') ?? '',
    perPage: Number(perPage),
    from: parsePageToken(query.get('next_token') ?? ''),
    reverse: query.get('reverse') === 'true',
    filter: filter === '' ? undefined : await readFilter(filter),
  };
}

/** A token names the first item of the page: `namespace.path`, or only a namespace. */
function parsePageToken(token: string): VariablePath | undefined {
  if (token === '') return undefined;
  const [Namespace = '', ...path] = token.split('.');
  return { Namespace, Path: path.join('.') };
}

const pageTokenOf = ({ Namespace, Path }: VariablePath): string => `${Namespace}.${Path}`;

/** Selectors of a filter, alone or within `VariableMetadata`. */
const filterFields = ['Namespace', 'Path', 'CreateIndex', 'CreateTime', 'ModifyIndex', 'ModifyTime', 'Lock'];
const metadataField = 'VariableMetadata';

async function readFilter(text: string): Promise<Filter> {
  let filter: Filter;
  try {
    filter = await compileFilter(text);
  } catch (error) {
    throw filterError(error, 'failed to create result paginator: failed to read filter expression');
  }
  for (const [first = '', second] of filter.selectors) {
    const name = first === metadataField ? second : first;
    if (name !== undefined && !filterFields.includes(name)) {
      throw new HttpError(
        400,
        `failed to read result page: error finding value in datum: there is no field "${name}"; fields are ${filterFields.join(', ')}`,
      );
    }
  }
  return filter;
}

function filterError(error: unknown, message: string): unknown {
  return error instanceof ExpressionError ? new HttpError(400, `${message}: ${error.message}`) : error;
}

/**
 * Lists the variables at one index. If writes keep interfering, it is the index at the start: a client that waits with
 * it receives all later changes.
 */
async function list(call: Call, options: ListOptions): Promise<QueryResult> {
  const { state } = call.scheduler;
  for (let attemptsLeft = maxAttempts; ; attemptsLeft--) {
    const index = state.indexOf('variables');
    const page = await readPage(call, options);
    if (attemptsLeft <= 1 || state.indexOf('variables') === index)
      return { ...pageResult(call, page), index };
  }
}

interface Page {
  /** Encoded items without the brackets: encoding all of them at once would block. */
  readonly parts: readonly Buffer[];
  readonly next: VariablePath | undefined;
}

async function readPage(call: Call, options: ListOptions): Promise<Page> {
  const parts: Buffer[] = [];
  let remaining = options.perPage || Number.POSITIVE_INFINITY;
  for await (const keys of keyBatches(call.scheduler.state, options)) {
    const matches = selectVariables(call, options, keys);
    const pageItems = matches.slice(0, remaining);
    if (pageItems.length > 0) parts.push(formatInnerJson(call, pageItems));
    remaining -= pageItems.length;
    const next = matches[pageItems.length];
    if (next) return { parts, next: next.variablePath };
  }
  return { parts, next: undefined };
}

function pageResult({ request }: Call, { parts, next }: Page): Pick<QueryResult, 'value' | 'serviceHeaders'> {
  const joined = parts.flatMap((part) => [comma, part]).slice(1);
  const pretty = request.query.has('pretty');
  const end = Buffer.from(pretty ? (parts.length > 0 ? '\n]\n' : ']\n') : ']');
  return {
    value: Buffer.concat([Buffer.from('['), ...joined, end]),
    ...(next && { serviceHeaders: { NextToken: pageTokenOf(next) } }),
  };
}

const comma = Buffer.from(',');

/** JSON without its brackets and, when indented, the end of its last line. */
function formatInnerJson({ request }: Call, listed: readonly Listed[]): Buffer {
  const text = listed
    .map(({ variablePath, variable, lock }) => encodeVariable(variablePath, variable, lock))
    .join(',');
  const pretty = request.query.has('pretty');
  return Buffer.from(pretty ? formatJson(parseJson(`[${text}]`), 4).slice(1, -2) : text);
}

interface Listed {
  readonly variablePath: VariablePath;
  readonly variable: Variable;
  readonly lock: Lock | undefined;
}

function selectVariables(
  { permissions, scheduler }: Call,
  { filter }: ListOptions,
  keys: readonly string[],
): Listed[] {
  const { state } = scheduler;
  const { view } = state;
  const hasLocks = state.keysAfter('locks', '', '', 1).length > 0;
  const visible: Listed[] = [];
  for (const key of keys) {
    const variablePath = parseVariableKey(key);
    const variable = permissions.allows('list', variablePath) ? variableTable.get(view, key) : undefined;
    const lock = hasLocks ? visibleLock(permissions, view, variablePath) : undefined;
    if (variable) visible.push({ variablePath, variable, lock });
  }
  if (!filter) return visible;
  try {
    return filter
      .select(
        visible.map((each) => {
          const metadata = metadataOf(each.variablePath, each.variable, each.lock);
          return { ...metadata, [metadataField]: metadata, each };
        }),
      )
      .map(({ each }) => each);
  } catch (error) {
    throw filterError(error, 'failed to read result page');
  }
}

/** The matching keys, in batches, in order. */
async function* keyBatches(
  state: State,
  { namespace, prefix, perPage, from, reverse, filter }: ListOptions,
): AsyncGenerator<string[]> {
  // Without a filter, no more than the page and the first item of the next.
  const firstBatchSize = perPage > 0 && !filter ? Math.min(perPage + 1, batchSize) : batchSize;
  const all = namespace === '' ? namespaceTable.keys(state.view) : [namespace];
  const namespaces = reverse ? all.reverse() : all;
  const nextKeys = (keyPrefix: string, position: string, limit: number) =>
    reverse
      ? state.keysBefore('variables', keyPrefix, position, limit)
      : state.keysAfter('variables', keyPrefix, position, limit);
  for (const Namespace of namespaces) {
    const keyPrefix = variableKey({ Namespace, Path: prefix });
    if (from && (reverse ? Namespace > from.Namespace : Namespace < from.Namespace)) continue;
    let position = from?.Namespace === Namespace ? variableKey(from) : '';
    // The first key is part of the page.
    if (position.startsWith(keyPrefix) && variableOf(state.view, parseVariableKey(position)))
      yield [position];
    for (let size = firstBatchSize; ; size = batchSize) {
      // One more tells whether there is another batch.
      const keys = nextKeys(keyPrefix, position, size + 1);
      const hasMore = keys.length > size;
      if (hasMore) keys.pop();
      if (keys.length > 0) yield keys;
      if (!hasMore) break;
      await yieldToEventLoop();
      position = keys.at(-1) ?? '';
    }
    if (namespaces.length > 1) await yieldToEventLoop();
  }
}
