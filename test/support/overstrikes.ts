/** The output of a formatter of man pages without its bold and underlined text: characters, a backspace, the same again. */
export const withoutOverstrikes = (output: string): string =>
  output
    .split('\b')
    .map((part, index, all) => (index < all.length - 1 ? part.slice(0, -1) : part))
    .join('');
