/** A curve: a value for each number of objects. */
export interface Line {
  readonly label: string;
  readonly values: readonly number[];
}

/** One of the diagrams side by side. */
export interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
  /** Whether the numbers of objects are shown by their logarithm, in which a logarithmic cost is a straight line. */
  readonly logarithmic: boolean;
}

const [panelWidth, height] = [380, 300];
const [left, right, top, bottom] = [56, 20, 76, 40];

/** The curves over the numbers of objects as SVG, for light and dark pages; every vertical axis begins at 0. */
export function plotGrowth(title: string, counts: readonly number[], panels: readonly Panel[]): string {
  const width = panelWidth * panels.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<style>
text { font: 12px system-ui, sans-serif; fill: #333 } .title { font-weight: 600 }
path { fill: none; stroke-width: 1.5; stroke-linejoin: round } .end { text-anchor: end } .middle { text-anchor: middle }
.grid { stroke: #888; stroke-opacity: .25 }
.l0 { stroke: #0a6ebd } .l1 { stroke: #c2410c } .l2 { stroke: #15803d } .l3 { stroke: #7e22ce }
@media (prefers-color-scheme: dark) {
text { fill: #ccc } .l0 { stroke: #58b0f5 } .l1 { stroke: #fb8c5a } .l2 { stroke: #5cc98a } .l3 { stroke: #c490f5 }
}
</style>
<text class="title" x="${left}" y="16">${title}</text>
${panels.map((panel, index) => `<g transform="translate(${index * panelWidth} 0)">\n${drawn(panel, counts)}\n</g>`).join('\n')}
</svg>
`;
}

function drawn({ title, lines, logarithmic }: Panel, counts: readonly number[]): string {
  const scale = (count: number): number => (logarithmic ? Math.log(count) : count);
  const [low, high] = [logarithmic ? scale(counts[0] ?? 1) : 0, scale(counts.at(-1) ?? 1)];
  const most = niceLimit(Math.max(...lines.flatMap(({ values }) => values)));
  const x = (count: number): string =>
    (left + ((scale(count) - low) / (high - low || 1)) * (panelWidth - left - right)).toFixed(1);
  const y = (value: number): string =>
    (height - bottom - (value / most) * (height - top - bottom)).toFixed(1);
  return [
    `<text x="${left}" y="38">${title}</text>`,
    ...lines.map(({ label }, index) => {
      const at = left + index * 80;
      return `<path class="l${index}" d="M${at} 54h14"/><text x="${at + 18}" y="58">${label}</text>`;
    }),
    ...[0, 0.25, 0.5, 0.75, 1].map((share) => {
      const level = most * share;
      return `<path class="grid" d="M${left} ${y(level)}H${panelWidth - right}"/><text class="end" x="${left - 6}" y="${y(level)}" dy="4">${shown(level)}</text>`;
    }),
    ...counts.map(
      (count) =>
        `<text class="middle" x="${x(count)}" y="${height - bottom + 18}">${shownCount(count)}</text>`,
    ),
    ...lines.map(({ values }, index) => {
      const points = values.map((value, at) => `${x(counts[at] ?? 1)} ${y(value)}`);
      return `<path class="l${index}" d="M${points.join('L')}"/>`;
    }),
  ].join('\n');
}

/** The next of 1, 2, 4, 6, 8 times a power of ten. */
function niceLimit(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8].find((each) => each * power >= value) ?? 10) * power;
}

const shown = (value: number): string => String(Number(value.toPrecision(3)));

function shownCount(count: number): string {
  if (count >= 1_000_000) return `${shown(count / 1_000_000)} M`;
  return count >= 1000 ? `${shown(count / 1000)} k` : String(count);
}
