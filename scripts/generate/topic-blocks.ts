import { topicNamed } from '../../src/cli/help/topics.ts';

/** A part of a help topic. */
export interface TopicBlock {
  /** Of a list; undefined: it has none. */
  readonly title: string | undefined;
  /** Paragraphs, before or after the rows. */
  readonly paragraphs: readonly string[];
  readonly rows: readonly (readonly [term: string, text: string])[];
}

/**
 * A help topic without its layout, and without its title.
 *
 * @throws Error: the topic does not exist.
 */
export function topicBlocks(name: string): TopicBlock[] {
  const topic = topicNamed(name);
  if (!topic) throw new Error(`the help topic "${name}" does not exist`);
  return textBlocks(topic.text);
}

/** The same of a text that is laid out like a help topic. */
export function textBlocks(text: (width: number) => string): TopicBlock[] {
  // In lines of any width, a paragraph and a row are each one line.
  const [, ...blocks] = text(Number.POSITIVE_INFINITY).trimEnd().split('\n\n');
  return blocks.map(blockOf);
}

function blockOf(block: string): TopicBlock {
  const lines = block.split('\n');
  const [first = '', ...rest] = lines;
  const title = !first.startsWith(' ') && rest[0]?.startsWith(' ') ? first : undefined;
  const rows: [string, string][] = [];
  const paragraphs: string[] = [];
  for (const line of title === undefined ? lines : rest) {
    const [, term, text] = /^ {2}(\S.*?) {2,}(.*)$/.exec(line) ?? [];
    if (term !== undefined && text !== undefined) rows.push([term, text]);
    else paragraphs.push(line.trim());
  }
  return { title, paragraphs, rows };
}
