import { type Document, dim, type StyledText, strong, table, text } from '../../../output/document.ts';
import { countText } from '../../../output/humanize.ts';
import { formatJson } from '../../../wire/json.ts';

/** An object with one field: the kind and its state. */
type Entry = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export function appliedView(results: readonly Entry[], count: number, writes: boolean): Document {
  const summary = writes ? [text(`Applied ${countText(count, 'operation')}.`)] : [];
  const rows = results.flatMap((entry) =>
    Object.entries(entry).map(([kind, state]): StyledText[] => [
      kind,
      [strong(nameOf(kind, state))],
      textOf(state.ModifyIndex),
      contentOf(kind, state),
    ]),
  );
  if (writes && rows.length === 0) return summary;
  return [
    ...summary,
    table(['KIND', 'NAME', 'INDEX', { title: 'CONTENT', shrinkPriority: 1 }], rows, 'No results.'),
  ];
}

function nameOf(kind: string, state: Readonly<Record<string, unknown>>): string {
  const parts = {
    KV: [state.Key],
    Node: [state.Node],
    Service: [state.ID ?? state.Service],
    Check: [state.Node, state.CheckID],
  }[kind] ?? [formatJson(state)];
  return parts.map(textOf).join('/');
}

function contentOf(kind: string, state: Readonly<Record<string, unknown>>): StyledText {
  if (kind === 'KV') return clearValue(state.Value);
  if (kind === 'Check') return textOf(state.Status);
  const port = kind === 'Service' && state.Port ? `:${textOf(state.Port)}` : '';
  return `${textOf(state.Address)}${port}`;
}

/** A value as text if it is valid UTF-8; null: the response does not have it. */
function clearValue(value: unknown): StyledText {
  if (typeof value !== 'string') return [dim('-')];
  const bytes = Buffer.from(value, 'base64');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return [dim(`${bytes.length} bytes`)];
  }
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : formatJson(value);
