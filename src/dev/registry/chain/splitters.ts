import type { HeaderEdits, Split } from '../config/entry.ts';
import type { ChainNode, ChainSplit, SplitterNode } from './chain.ts';
import { ChainRefusal } from './chain.ts';

type Nodes = ReadonlyMap<string, ChainNode>;

/** Keys of the nodes that a node leads to. */
function nextNodes(node: ChainNode | undefined): string[] {
  if (node?.Type === 'router') return node.Routes.map(({ NextNode }) => NextNode);
  return node?.Type === 'splitter' ? node.Splits.map(({ NextNode }) => NextNode) : [];
}

/** @throws ChainRefusal circular-reference: a node leads back to itself */
export function refuseCircles(nodes: Nodes, start: string): void {
  const settled = new Set<string>();
  const path: string[] = [];
  const visit = (key: string): void => {
    if (settled.has(key)) return;
    path.push(key);
    if (path.indexOf(key) < path.length - 1) {
      const circle = path.join(' -> ');
      throw new ChainRefusal('circular-reference', `detected circular reference: [${circle}]`);
    }
    for (const next of nextNodes(nodes.get(key))) visit(next);
    path.pop();
    settled.add(key);
  };
  visit(start);
}

/** Splitters that share splitters could multiply without end. */
const maxSplits = 10_000;

function tooManySplits(key: string): ChainRefusal {
  return new ChainRefusal('too-many-splits', `${key} would have more than ${maxSplits} splits`);
}

/**
 * Replaces splits that lead to another splitter by that splitter's own: weights multiply, header edits merge.
 * The nodes must be free of circles.
 *
 * @throws ChainRefusal too-many-splits
 */
export function flatten(nodes: Nodes): Map<string, ChainNode> {
  const flat = new Map<string, ChainNode>();
  const flatNode = (key: string, node: SplitterNode): SplitterNode => {
    const done = flat.get(key);
    if (done?.Type === 'splitter') return done;
    const splits: ChainSplit[] = [];
    for (const split of node.Splits) {
      const next = nodes.get(split.NextNode);
      if (next?.Type !== 'splitter') splits.push(split);
      else splits.push(...flatNode(split.NextNode, next).Splits.map((inner) => within(split, inner)));
      if (splits.length > maxSplits) throw tooManySplits(key);
    }
    const made = { ...node, Splits: splits };
    flat.set(key, made);
    return made;
  };
  for (const [key, node] of nodes) flat.set(key, node.Type === 'splitter' ? flatNode(key, node) : node);
  return flat;
}

function within(outer: ChainSplit, inner: ChainSplit): ChainSplit {
  return {
    Definition: mergeHeaders(outer.Definition, inner.Definition),
    Weight: Math.round(outer.Weight * inner.Weight) / 100,
    NextNode: inner.NextNode,
  };
}

function mergeHeaders(outer: Split, inner: Split): Split {
  const RequestHeaders = merged(outer.RequestHeaders, inner.RequestHeaders);
  const ResponseHeaders = merged(outer.ResponseHeaders, inner.ResponseHeaders);
  return { ...inner, ...(RequestHeaders && { RequestHeaders }), ...(ResponseHeaders && { ResponseHeaders }) };
}

/** Both edits; where they disagree about a header, the inner one, nearer to the instances, holds. */
function merged(outer: HeaderEdits | undefined, inner: HeaderEdits | undefined): HeaderEdits | undefined {
  if (!outer || !inner) return outer ?? inner;
  const add = { ...outer.Add, ...inner.Add };
  const set = { ...outer.Set, ...inner.Set };
  const remove = [...(outer.Remove ?? []), ...(inner.Remove ?? [])];
  return {
    ...(Object.keys(add).length > 0 && { Add: add }),
    ...(Object.keys(set).length > 0 && { Set: set }),
    ...(remove.length > 0 && { Remove: remove }),
  };
}

/** The nodes that can be reached from the start, in the order of their keys. */
export function reachable(nodes: Nodes, start: string): Map<string, ChainNode> {
  const found = new Map<string, ChainNode>();
  const open = [start];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const node = nodes.get(key);
    if (!node || found.has(key)) continue;
    found.set(key, node);
    open.push(...nextNodes(node));
  }
  return new Map(sorted([...found]));
}

/** Entries in the order of their keys. */
export function sorted<Value>(entries: readonly (readonly [string, Value])[]): (readonly [string, Value])[] {
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
}
