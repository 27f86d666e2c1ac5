/** The words of a text that may have several lines. */
export const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/);
