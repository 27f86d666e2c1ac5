import { LanyardError, usage } from '../errors.ts';
import { isObject } from '../wire/objects.ts';
import { suggest } from '../wire/suggest.ts';
import { checkSelection, type ExpressionTree, select } from './select.ts';

export interface ExpressionOptions {
  /** For messages: `--for`. */
  readonly flag: string;
  /** The fields that a value may have; undefined: any. */
  readonly fields?: readonly string[] | undefined;
}

/** A condition that a JMESPath expression states. */
export interface Expression {
  /**
   * Whether the result is neither null nor false nor empty.
   *
   * @returns `problem`: why it cannot be evaluated with this value, without the value.
   */
  holds(value: unknown): Promise<{ readonly isMet: boolean; readonly problem?: string }>;
}

/**
 * Checks a JMESPath expression.
 *
 * @throws LanyardError usage: invalid syntax, an unknown function, a wrong number of arguments, or a field that the value
 * never has.
 */
export async function expression(text: string, { flag, fields }: ExpressionOptions): Promise<Expression> {
  const tree = await checkSelection(text, flag);
  for (const name of rootFields(tree)) {
    if (!fields || fields.includes(name)) continue;
    const similar = suggest(name, fields);
    throw usage(`invalid ${flag} "${text}": unknown field "${name}"`, {
      details: [
        ...(similar === undefined ? [] : [`did you mean ${similar}?`]),
        `fields: ${fields.join(', ')}`,
      ],
      hint: "Strings are in single quotes: Items.ready == 'yes'.",
    });
  }
  const holds: Expression['holds'] = async (value) => {
    try {
      return { isMet: isTrue(await select(value, text, flag)) };
    } catch (error) {
      if (!(error instanceof LanyardError) || hasWrongArity(error)) throw error;
      // The type of a field may change, or the field be added later.
      return { isMet: false, problem: 'the type of a field does not suit' };
    }
  };
  await holds(null);
  return { holds };
}

const hasWrongArity = ({ message }: LanyardError): boolean => /invalid arity/i.test(message);

const isTrue = (value: unknown): boolean =>
  !(
    value === null ||
    value === undefined ||
    value === false ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (isObject(value) && Object.keys(value).length === 0)
  );

/** The names of the fields of the value itself that an expression reads. */
function rootFields(tree: ExpressionTree): string[] {
  switch (tree.type) {
    case 'Field':
      return [tree.name];
    case 'Subexpression':
    case 'Pipe':
      return [...rootFields(tree.left), ...(isValueItself(tree.left) ? rootFields(tree.right) : [])];
    case 'IndexExpression':
    case 'Projection':
    case 'ValueProjection':
    case 'FilterProjection':
      return rootFields(tree.left);
    case 'AndExpression':
    case 'OrExpression':
    case 'Comparator':
    case 'Arithmetic':
      return [tree.left, tree.right].flatMap(rootFields);
    case 'NotExpression':
    case 'Flatten':
      return rootFields(tree.child);
    case 'Unary':
      return rootFields(tree.operand);
    case 'Function':
    case 'MultiSelectList':
      return tree.children.flatMap(rootFields);
    case 'MultiSelectHash':
      return tree.children.flatMap(({ value }) => rootFields(value));
    case 'Ternary':
      return [tree.condition, tree.trueExpr, tree.falseExpr].flatMap(rootFields);
    default:
      return [];
  }
}

const isValueItself = ({ type }: ExpressionTree): boolean =>
  type === 'Current' || type === 'Root' || type === 'Identity';
