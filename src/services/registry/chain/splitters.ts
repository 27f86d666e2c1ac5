import type { HeaderEdits, Split } from '../config/entry.ts';
import { multiplyWeights } from '../config/weight.ts';
import { ChainError, type ChainNode, type ChainSplit, type SplitterNode } from './chain.ts';

type Nodes = ReadonlyMap<string, ChainNode>;

function nextNodes(node: ChainNode | undefined): string[] {
  if (node?.Type === 'router') return node.Routes.map(({ NextNode }) => NextNode);
  return node?.Type === 'splitter' ? node.Splits.map(({ NextNode }) => NextNode) : [];
}

/** @throws ChainError circular-reference */
export function rejectCycles(nodes: Nodes, start: string): void {
  const visited = new Set<string>();
  const path: string[] = [];
  const visit = (key: string): void => {
    if (visited.has(key)) return;
    path.push(key);
    if (path.indexOf(key) < path.length - 1) {
      const cycle = path.join(' -> ');
      throw new ChainError('circular-reference', `detected circular reference: [${cycle}]`);
    }
    for (const next of nextNodes(nodes.get(key)).toReversed()) visit(next);
    path.pop();
    visited.add(key);
  };
  visit(start);
}

/** Nested splitters could multiply without limit. */
const maxSplits = 10_000;

function tooManySplitsError(key: string): ChainError {
  return new ChainError('too-many-splits', `${key} would have more than ${maxSplits} splits`);
}

/**
 * Replaces splits to another splitter by the splits of that one: weights multiply, header edits merge. The nodes must
 * not have cycles.
 *
 * @throws ChainError too-many-splits
 */
export function flatten(nodes: Nodes): Map<string, ChainNode> {
  const flat = new Map<string, ChainNode>();
  const flattenSplitter = (key: string, node: SplitterNode): SplitterNode => {
    const existing = flat.get(key);
    if (existing?.Type === 'splitter') return existing;
    const splits: ChainSplit[] = [];
    for (const split of node.Splits) {
      const next = nodes.get(split.NextNode);
      if (next?.Type !== 'splitter') splits.push(split);
      else
        splits.push(
          ...flattenSplitter(split.NextNode, next).Splits.map((inner) => combineSplits(split, inner)),
        );
      if (splits.length > maxSplits) throw tooManySplitsError(key);
    }
    const flattened = { ...node, Splits: splits };
    flat.set(key, flattened);
    return flattened;
  };
  for (const [key, node] of nodes)
    flat.set(key, node.Type === 'splitter' ? flattenSplitter(key, node) : node);
  return flat;
}

function combineSplits(outer: ChainSplit, inner: ChainSplit): ChainSplit {
  const weight = multiplyWeights(outer.Weight ?? 0, inner.Weight ?? 0);
  return {
    Definition: mergeHeaders(outer.Definition, inner.Definition),
    ...(weight !== 0 && { Weight: weight }),
    NextNode: inner.NextNode,
  };
}

/** Requests pass the outer split first, responses last: of two edits of one header the later one wins. */
function mergeHeaders(outer: Split, inner: Split): Split {
  const RequestHeaders = mergeHeaderEdits(outer.RequestHeaders, inner.RequestHeaders);
  const ResponseHeaders = mergeHeaderEdits(inner.ResponseHeaders, outer.ResponseHeaders);
  return { ...inner, ...(RequestHeaders && { RequestHeaders }), ...(ResponseHeaders && { ResponseHeaders }) };
}

function mergeHeaderEdits(
  base: HeaderEdits | undefined,
  later: HeaderEdits | undefined,
): HeaderEdits | undefined {
  if (!base || Object.keys(base).length === 0) return later;
  if (!later) return base;
  const add = { ...base.Add, ...later.Add };
  const set = { ...base.Set, ...later.Set };
  const removed = base.Remove ?? [];
  const remove = [...removed, ...(later.Remove ?? []).filter((name) => !removed.includes(name))];
  return {
    ...(Object.keys(add).length > 0 && { Add: add }),
    ...(Object.keys(set).length > 0 && { Set: set }),
    ...(remove.length > 0 && { Remove: remove }),
  };
}

/** The nodes that are reachable from the start. */
export function reachable(nodes: Nodes, start: string): Map<string, ChainNode> {
  const reached = new Map<string, ChainNode>();
  const stack = [start];
  for (let key = stack.pop(); key !== undefined; key = stack.pop()) {
    const node = nodes.get(key);
    if (!node || reached.has(key)) continue;
    reached.set(key, node);
    stack.push(...nextNodes(node));
  }
  return reached;
}
