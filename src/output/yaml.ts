import { unsafeCharacterPattern } from '../wire/printable.ts';

/** Characters that YAML needs to escape, or that some reader or terminal interprets. */
const unsafeCharacter = new RegExp(unsafeCharacterPattern, 'u');
/**
 * Strings that need quotes: the "value" type of YAML 1.1 and a tab within a line, which some readers reject, and what
 * a block loses or cannot begin with: lines of spaces only, and leading white space.
 */
const needsQuotes = /^(=|\s*|[^\n]*\t[^\n]*)$|^\s|\n[ \t]+(\n|$)/;
const unsafeCharacters = new RegExp(unsafeCharacterPattern, 'gu');

/**
 * Writes a value as YAML 1.2, quoted so that readers of YAML 1.1 read the same (`yes`, `017`, `1:30`). Integers are
 * exact, keys are kept, strings are never folded, and control characters are escaped inside quotes.
 */
export async function renderYaml(value: unknown): Promise<string> {
  // The default export is the CommonJS module itself: a bundle has no other.
  const { default: library } = await import('yaml');
  const { Document, Scalar, visit } = library;
  const document = new Document(value ?? null, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(document, {
    Scalar(key, node) {
      if (typeof node.value !== 'string') return;
      // A block at the top level is not indented, which many readers reject.
      const isWhole = key === null && node.value.includes('\n');
      if (isWhole || unsafeCharacter.test(node.value) || needsQuotes.test(node.value))
        node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document
    .toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY })
    .replace(unsafeCharacters, escapeCharacter);
}

function escapeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  if (code.length > 4) return `\\U${code.padStart(8, '0')}`;
  return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
}
