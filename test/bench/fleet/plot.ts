/** One line of a plot: a rate for each window. */
export interface Curve {
  readonly label: string;
  /** A class of the style below. */
  readonly className: 'spread' | 'fixed';
  /** Requests per second. */
  readonly rates: readonly number[];
}

const [width, height] = [760, 300];
const [left, right, top, bottom] = [56, 16, 40, 40];

/** Rates over time as SVG, for light and dark pages. @param windowHours the length of a window. */
export function plotRates(
  title: string,
  windowHours: number,
  curves: readonly Curve[],
  mean: number,
): string {
  const most = Math.max(mean, ...curves.flatMap(({ rates }) => rates)) * 1.05;
  const count = Math.max(...curves.map(({ rates }) => rates.length));
  const x = (at: number): string => (left + (at / count) * (width - left - right)).toFixed(1);
  const y = (rate: number): string => (height - bottom - (rate / most) * (height - top - bottom)).toFixed(1);
  const hours = count * windowHours;
  const step = [1, 2, 6, 12, 24, 48].find((each) => hours / each <= 9) ?? 96;
  const ticks = Array.from({ length: Math.floor(hours / step) + 1 }, (_each, index) => index * step);
  const levels = [0.25, 0.5, 0.75, 1].map((share) => (most / 1.05) * share);
  const path = ({ rates, className }: Curve): string => {
    const points = rates.map((rate, at) => `${x(at + 0.5)} ${y(rate)}`).join('L');
    return `<path class="${className}" d="M${points}"/>`;
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<style>
text { font: 12px system-ui, sans-serif; fill: #333 }
path { fill: none; stroke-width: 1.5; stroke-linejoin: round }
.grid { stroke: #888; stroke-opacity: .25 } .spread { stroke: #0a6ebd } .fixed { stroke: #c2410c }
.mean { stroke: #666; stroke-dasharray: 4 4 } .end { text-anchor: end } .middle { text-anchor: middle }
@media (prefers-color-scheme: dark) {
text { fill: #ccc } .spread { stroke: #58b0f5 } .fixed { stroke: #fb8c5a } .mean { stroke: #aaa }
}
</style>
<text x="${left}" y="16">${title}</text>
${curves
  .map(
    ({ label, className }, index) =>
      `<path class="${className}" d="M${left + index * 230} 29h20"/><text x="${left + 26 + index * 230}" y="33">${label}</text>`,
  )
  .join('\n')}
${levels.map((level) => `<path class="grid" d="M${left} ${y(level)}H${width - right}"/><text class="end" x="${left - 6}" y="${y(level)}" dy="4">${level < 10 ? level.toFixed(1) : level.toFixed(0)}</text>`).join('\n')}
<path class="grid" d="M${left} ${y(0)}H${width - right}"/>
${ticks.map((tick) => `<text class="middle" x="${x(tick / windowHours)}" y="${height - bottom + 18}">${tick} h</text>`).join('\n')}
<text class="end" x="${width - right}" y="${height - 6}">time since enrolment; requests per second</text>
${curves.map(path).join('\n')}
<path class="mean" d="M${left} ${y(mean)}H${width - right}"/>
</svg>
`;
}
