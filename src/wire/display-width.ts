const narrow = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027]*$/;

let segmenter: Intl.Segmenter | undefined;

/** The user-perceived characters (a letter with its accents, an emoji sequence). */
export function graphemes(text: string): string[] {
  if (narrow.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/**
 * The number of terminal cells of a line of text: two for East Asian wide characters and emoji, none for combining
 * and invisible ones (Unicode Standard Annex 11; ambiguous characters are narrow).
 */
export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  return graphemes(text).reduce((sum, character) => sum + cells(character), 0);
}

/** Cuts text into pieces of at most `limit` cells; a wider character is not split. */
export function splitAtWidth(text: string, limit: number): string[] {
  const result: string[] = [];
  let piece = '';
  let used = 0;
  for (const character of graphemes(text)) {
    const size = cells(character);
    if (piece !== '' && used + size > limit) {
      result.push(piece);
      piece = '';
      used = 0;
    }
    piece += character;
    used += size;
  }
  return [...result, piece];
}

/**
 * Breaks a line at its spaces into lines of at most `limit` cells. Long words, and commands between backticks, are not
 * broken, so that they can be copied.
 */
export function wrapAtSpaces(line: string, limit: number): string[] {
  const lines: string[] = [];
  let last = '';
  for (const [, space = '', word = ''] of line.matchAll(/( *)((?:`[^`]*`|[^ ])+)/g)) {
    if (last.trim() !== '' && displayWidth(last + space + word) > limit) {
      lines.push(last);
      last = word;
    } else last += space + word;
  }
  return [...lines, last];
}

// The expressions are in functions, because their Unicode data is read when they are evaluated.
const isInvisible = (character: string): boolean => /^[\p{M}\p{Cf}\p{Cc}]+$/u.test(character);
const isHalfWidth = (character: string): boolean =>
  /^[\u303f\u3248-\u324f\uff61-\uffdc\uffe8-\uffee]/.test(character);
const isEmoji = (character: string): boolean => /\p{Emoji_Presentation}|\ufe0f/u.test(character);
const isWide = (character: string): boolean =>
  /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Yi}\p{sc=Tangut}\p{sc=Nushu}\u2329\u232a\u2e80-\u303e\u3099-\u33ff\u4dc0-\u4dff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{1f200}-\u{1f265}]/u.test(
    character,
  );

function cells(character: string): number {
  if (narrow.test(character)) return character.length;
  if (isInvisible(character)) return 0;
  if (isHalfWidth(character)) return 1;
  return isEmoji(character) || isWide(character) ? 2 : 1;
}
