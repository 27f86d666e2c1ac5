import type { Rendered, RequestedValues } from './rendering.ts';

/** Around each value in a text whose values are to be hidden: characters for private use. */
const [start, end] = ['\u{F0000}', '\u{F0001}'];
/** In the place of each line of a value. */
const placeholder = '(hidden)';

/**
 * The rendered text without its values: the text of the template remains, line by line. A text without secrets is
 * unchanged.
 */
export async function withoutValues(
  { template, text, hasSecrets }: Rendered,
  values: RequestedValues,
): Promise<string> {
  if (!hasSecrets) return text;
  const marked = await template.render(
    (request) => values.read(request),
    (value) => `${start}${value}${end}`,
  );
  // The marks may have changed a condition, or a value contains one.
  const isExact = marked.replaceAll(start, '').replaceAll(end, '') === text;
  return isExact ? hideMarked(marked) : hideLines(text);
}

/** Marks may be nested: a captured text is a value too. */
function hideMarked(marked: string): string {
  let depth = 0;
  let hidden = '';
  let shown = '';
  for (const part of marked.split(new RegExp(`(${start}|${end})`, 'u'))) {
    if (part === start) depth += 1;
    else if (part === end) depth -= 1;
    else if (depth > 0) hidden += part;
    else shown += part;
    if (depth > 0) continue;
    shown += hideLines(hidden);
    hidden = '';
  }
  return shown;
}

const hideLines = (text: string): string => text.replaceAll(/[^\n]+/g, placeholder);
