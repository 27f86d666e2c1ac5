/** Words in lines of at most `width` cells. */
export function wrapLines(text: string, width: number): string[] {
  const written: string[] = [];
  for (const word of text.split(' ')) {
    const last = written.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) written.push(word);
    else written[written.length - 1] = `${last} ${word}`;
  }
  return written;
}

/** Wraps paragraphs, each of which is one line of the text. */
export const wrapText = (text: string, width: number): string =>
  text
    .split('\n')
    .map((paragraph) => wrapLines(paragraph, width).join('\n'))
    .join('\n');
