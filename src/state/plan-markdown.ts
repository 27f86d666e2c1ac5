import { countText } from '../output/humanize.ts';
import { lineDiff } from '../output/line-diff.ts';
import { codeBlock, codeSpan } from '../output/markdown-text.ts';
import { formatJson, tryParseJson } from '../wire/json.ts';
import type { PlanData } from './plan-data.ts';
import { type PlanItem, type PlanSection, planItems, type ShownChange, shownChanges } from './plan-items.ts';
import { actionCounts, incompleteText, summaryParts } from './plan-view.ts';

export interface PlanMarkdownOptions {
  /** What a saved plan is for. */
  readonly rows?: readonly (readonly [label: string, value: string])[];
  readonly sections?: readonly PlanSection[];
  /** Maximum number of characters; default: that of a comment on GitHub. */
  readonly limit?: number;
}

/** Characters of a comment on GitHub. */
export const maxCommentLength = 65_536;
const maxWarnings = 10;
/** More lines of changed fields are folded. */
const maxOpenLines = 12;
/** A changed value of more characters that is a list or an object is shown by its lines. */
const maxInline = 100;

/** Characters that remain for what says how much is left out. */
const reserved = 400;

/**
 * A plan as Markdown for a comment on a pull request: its objects by service and kind, and the changed fields as diffs.
 * Text of files and services is only in code. What exceeds the limit is left out: first fields, then objects.
 */
export function planMarkdown(plan: PlanData, options: PlanMarkdownOptions = {}): string {
  const { rows = [], sections = [], limit = maxCommentLength } = options;
  const top = topOf(plan, rows);
  const entries = [...objectEntries(planItems(plan)), ...sections.flatMap(sectionEntries)];
  let available = limit - top.length - reserved;
  const takes = ({ length }: string): boolean => {
    if (length > available) return false;
    available -= length;
    return true;
  };
  const firstLeftOut = entries.findIndex(({ head }) => !takes(head));
  const shown = firstLeftOut < 0 ? entries : entries.slice(0, firstLeftOut);
  const withFields = new Set(shown.filter(({ fields }) => takes(fields)));
  const left = leftOutText(entries.slice(shown.length), shown.length - withFields.size);
  const body = shown.map((entry) => (withFields.has(entry) ? `${entry.head}${entry.fields}` : entry.head));
  return `${top}${body.join('')}${left}`;
}

/** An object, or several in one line. */
interface Entry {
  /** With the headings before it. */
  readonly head: string;
  readonly fields: string;
  readonly objects: number;
  readonly isDeletion: boolean;
}

function topOf(plan: PlanData, rows: PlanMarkdownOptions['rows'] = []): string {
  const { label, counts } = summaryParts(plan);
  const unread = plan.operations.filter(({ action }) => action === 'unknown').length;
  const warnings = plan.warnings.slice(0, maxWarnings).map(({ message }) => `Warning: ${codeSpan(message)}`);
  const more = plan.warnings.length - warnings.length;
  const listed = [
    ...rows.map(([name, value]) => `${name}: ${codeSpan(value)}`),
    ...(unread === 0 ? [] : [`Warning: ${incompleteText(unread)}`]),
    ...warnings,
    ...(more === 0 ? [] : [`${countText(more, 'more warning')}`]),
  ];
  const list = listed.length === 0 ? '' : `\n${listed.map((line) => `- ${line}\n`).join('')}`;
  return `## Plan for set ${codeSpan(plan.set.name)}\n\n${label === '' ? counts : `**${label.trim()}** ${counts}`}\n${list}`;
}

function objectEntries(items: readonly PlanItem[]): readonly Entry[] {
  const serviceOf = ({ kind }: PlanItem): string => kind.split('.', 1)[0] ?? '';
  return [...Map.groupBy(items, serviceOf)].flatMap(([service, ofService]) =>
    [...Map.groupBy(ofService, ({ kind }) => kind)].flatMap(([kind, ofKind], index) => {
      const heading = index === 0 ? `\n### ${codeSpan(service)}\n` : '';
      const counts = actionCounts({ operations: ofKind.flatMap(({ operations }) => operations) })
        .filter(({ count }) => count > 0)
        .map(({ count, text }) => `${count} ${text}`);
      const title = `${heading}\n${codeSpan(kind)}: ${counts.join(', ')}\n\n`;
      return ofKind.map((item, at): Entry => {
        const [operation] = item.operations;
        return {
          head: `${at === 0 ? title : ''}${itemLine(item)}\n`,
          fields: fieldsText(shownChanges(operation).flatMap(diffLines)),
          objects: item.operations.length,
          isDeletion: item.action === 'delete',
        };
      });
    }),
  );
}

function itemLine({ kind, action, operations: [operation, ...others] }: PlanItem): string {
  if (others.length > 0) return `- **${action}** ${1 + others.length} objects`;
  const reason = operation.reason === undefined ? '' : ` (${codeSpan(operation.reason)})`;
  return `- **${action}** ${codeSpan(operation.name || kind)}${reason}`;
}

const sectionEntries = ({ title, items }: PlanSection): readonly Entry[] =>
  items.map((item, index) => ({
    head: `${index === 0 ? `\n### ${title}\n\n` : ''}- ${codeSpan(item)}\n`,
    fields: '',
    objects: 1,
    isDeletion: false,
  }));

/** The lines of a block in the language `diff`. */
function diffLines(change: ShownChange): readonly string[] {
  const { name } = change;
  if (change.type === 'secret') return [`! ${name} (${change.text})`];
  const lines = change.type === 'lines' ? change.lines : structureDiff(change.before, change.after);
  if (lines)
    return [`@@ ${name} @@`, ...lines.map(({ sign, line }) => (sign === '…' ? '  …' : `${sign} ${line}`))];
  const { before, after } = change as Extract<ShownChange, { type: 'values' }>;
  return [
    ...(before === undefined ? [] : [`- ${name}: ${before}`]),
    ...(after === undefined ? [] : [`+ ${name}: ${after}`]),
  ];
}

/** The lines that differ between two long lists or objects; undefined: they are shown on one line each. */
function structureDiff(before = '', after = ''): ReturnType<typeof lineDiff> | undefined {
  const given = [before, after].filter((value) => value !== '');
  if (!given.every((value) => /^[{[]/.test(value)) || !given.some(({ length }) => length > maxInline))
    return undefined;
  const pretty = (value: string): string => formatJson(tryParseJson(value) ?? value, 2);
  return lineDiff(before && pretty(before), after && pretty(after));
}

function fieldsText(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const block = codeBlock(lines, 'diff', '  ');
  if (lines.length <= maxOpenLines) return `\n${block}\n`;
  return `\n  <details><summary>${countText(lines.length, 'line')}</summary>\n\n${block}\n  </details>\n\n`;
}

function leftOutText(entries: readonly Entry[], withoutFields: number): string {
  const count = (which: readonly Entry[]): number => which.reduce((sum, { objects }) => sum + objects, 0);
  const deletions = count(entries.filter(({ isDeletion }) => isDeletion));
  const parts = [
    ...(entries.length === 0
      ? []
      : [`${countText(count(entries), 'object')}${deletions === 0 ? '' : ` (${deletions} to delete)`}`]),
    ...(withoutFields === 0 ? [] : [`the changed fields of ${countText(withoutFields, 'object')}`]),
  ];
  if (parts.length === 0) return '';
  return `\n**Left out, because a comment is limited: ${parts.join(' and ')}.** Run \`lanyard plan\` to see everything.\n`;
}
