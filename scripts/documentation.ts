import type { Node } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isStringLiteral,
} from 'typescript/unstable/ast/is';
import type { Checker, Symbol as TypeSymbol } from 'typescript/unstable/sync';

/** What a field is, for readers: its comment, else the description of its declaration in src/objects. */
export function documentationOf(checker: Checker, field: TypeSymbol): string {
  const comment = checker.getDocumentationCommentOfSymbol(field);
  if (comment !== '') return comment;
  const declared = field.declarations[0]?.resolve();
  return declared && isPropertyAssignment(declared) ? descriptionIn(declared.initializer) : '';
}

/** The description in the last argument of a builder: `field.string({ description: 'Name.' })`. */
function descriptionIn(builder: Node): string {
  const options = isCallExpression(builder) ? [...builder.arguments].at(-1) : undefined;
  if (!options || !isObjectLiteralExpression(options)) return '';
  for (const option of options.properties)
    if (isPropertyAssignment(option) && option.name.getText() === 'description') {
      const { initializer } = option;
      if (isStringLiteral(initializer) || isNoSubstitutionTemplateLiteral(initializer))
        return initializer.text;
    }
  return '';
}
