import { type Document, raw, strong, text } from '../../../output/document.ts';
import { diffLines } from '../../../output/line-diff.ts';
import { buildGraph, type Chain, type Edge, type Graph } from './graph.ts';

export const diagramFormats = ['dot', 'mermaid'] as const;
export type DiagramFormat = (typeof diagramFormats)[number];

export const chainView = (chain: Chain): Document => [
  text(strong(chain.ServiceName), ` ${summaryOf(chain)}.`),
  raw(lines(drawTree(buildGraph(chain)))),
];

/** The line diff of summary and tree: `-` without the overrides, `+` with them. */
export const differenceView = (before: Chain, after: Chain): Document => {
  const [without, overridden] = [before, after].map((chain) => [
    `${chain.ServiceName} ${summaryOf(chain)}`,
    ...drawTree(buildGraph(chain)),
  ]);
  const marked = diffLines(without ?? [], overridden ?? []);
  if (marked.every(({ sign }) => sign === ' ')) return [text('The overrides change nothing.')];
  return [raw(lines(marked.map(({ sign, line }) => `${sign} ${line}`)))];
};

function summaryOf({ Protocol, Datacenter, CustomizationHash }: Chain): string {
  const overrides = CustomizationHash ? `, with overrides (${CustomizationHash})` : '';
  return `uses protocol ${Protocol}; compiled for ${Datacenter}${overrides}`;
}

export const diagramView = (chain: Chain, format: DiagramFormat): Document => [
  raw(diagrams[format](buildGraph(chain))),
];

/** The tree from the start node. A node that was drawn before is only named. */
function drawTree({ start, vertices, edges }: Graph): string[] {
  const drawnKeys = new Set<string>();
  const rows: string[] = [];
  const draw = (key: string, lead: string, below: string): void => {
    const label = vertices.get(key)?.label ?? key;
    const ways = edges.filter(({ from }) => from === key);
    const again = drawnKeys.has(key) && ways.length > 0;
    rows.push(`${lead}${label}${again ? ' (drawn above)' : ''}`);
    if (again) return;
    drawnKeys.add(key);
    for (const [index, way] of ways.entries()) {
      const isLast = index === ways.length - 1;
      const arrow = way.label === '' ? '' : `${way.label} → `;
      draw(way.to, `${below}${isLast ? '└─ ' : '├─ '}${arrow}`, `${below}${isLast ? '   ' : '│  '}`);
    }
  };
  draw(start, '', '');
  return rows;
}

/** Short names that need no quotes: n0, n1 ... */
const vertexNames = ({ vertices }: Graph): ReadonlyMap<string, string> =>
  new Map([...vertices.keys()].map((key, index) => [key, `n${index}`]));

const diagrams: { readonly [Format in DiagramFormat]: (graph: Graph) => string } = {
  dot(graph) {
    const names = vertexNames(graph);
    const quoted = (label: string): string => `"${label.replace(/["\\]/g, '\\$&')}"`;
    const attributes = ({ label, failover }: Edge): string =>
      [...(label === '' ? [] : [`label=${quoted(label)}`]), ...(failover ? ['style=dashed'] : [])].join(', ');
    return lines([
      'digraph chain {',
      '  rankdir=LR;',
      '  node [shape=box];',
      ...[...graph.vertices.values()].map(
        ({ key, label }) => `  ${names.get(key)} [label=${quoted(label)}];`,
      ),
      ...graph.edges.map((edge) => {
        const way = `  ${names.get(edge.from)} -> ${names.get(edge.to)}`;
        const how = attributes(edge);
        return how === '' ? `${way};` : `${way} [${how}];`;
      }),
      '}',
    ]);
  },
  mermaid(graph) {
    const names = vertexNames(graph);
    // Mermaid escapes characters as a number between # and ;.
    const quoted = (label: string): string =>
      `"${label.replace(/[#"&<>`\\]/g, (character) => `#${character.charCodeAt(0)};`)}"`;
    return lines([
      'flowchart LR',
      ...[...graph.vertices.values()].map(({ key, label }) => `  ${names.get(key)}[${quoted(label)}]`),
      ...graph.edges.map(({ from, to, label, failover }) => {
        const labelText = label === '' ? '' : `|${quoted(label)}|`;
        return `  ${names.get(from)} ${failover ? '-.->' : '-->'}${labelText} ${names.get(to)}`;
      }),
    ]);
  },
};

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
