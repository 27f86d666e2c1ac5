import {
  type Checker,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
} from 'typescript/unstable/sync';
import { documentationOf } from '../documentation.ts';

/** Aliases that are kept as names, because they are recursive. */
const keptAliases = new Set(['Json']);
const keptTypes = new Set(['Uint8Array']);

/**
 * Writes types out, so that a reader needs no other type: fields with their comments, one per line, and the types of
 * `named` by their names.
 *
 * @param named the name of a type, by its own text.
 */
export function typeWriter(checker: Checker, named: ReadonlyMap<string, string> = new Map()) {
  function typeText(type: Type, above: readonly number[] = []): string {
    const alias = type.getAliasSymbol()?.name;
    if (alias !== undefined && keptAliases.has(alias)) return alias;
    if (type.isIntrinsicType() || type.flags & TypeFlags.Boolean) return checker.typeToString(type);
    if (type.isLiteralType()) return checker.typeToString(type);
    if (above.includes(type.id))
      throw new Error(`${checker.typeToString(type)} is recursive: keep its alias`);
    const inner = [...above, type.id];
    if (type.isUnionType()) return unionText(type.getTypes(), inner);
    const symbol = type.getSymbol()?.name ?? '';
    if (keptTypes.has(symbol)) return symbol;
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as TypeReference);
      const text = item ? typeText(item, inner) : 'unknown';
      return `${symbol === 'ReadonlyArray' ? 'readonly ' : ''}${/ \| |^readonly /.test(text.replace(/\{.*\}/s, '')) ? `(${text})` : text}[]`;
    }
    if (type.isTupleType()) return checker.typeToString(type);
    return objectText(type, inner);
  }

  function unionText(types: readonly Type[], above: readonly number[]): string {
    const texts = types.map((type) => typeText(type, above));
    const isBoolean = texts.includes('true') && texts.includes('false');
    const rest = texts.filter((text) => !['null', 'undefined'].includes(text));
    const values = isBoolean
      ? ['boolean', ...rest.filter((text) => text !== 'true' && text !== 'false')]
      : rest;
    return [...values, ...['null', 'undefined'].filter((text) => texts.includes(text))].join(' | ');
  }

  function objectText(type: Type, above: readonly number[]): string {
    const fields = checker.getPropertiesOfType(type).map((field) => {
      const isOptional = (field.flags & SymbolFlags.Optional) !== 0;
      const fieldType = checker.getTypeOfSymbol(field);
      if (!fieldType) throw new Error(`the field ${field.name} has no type`);
      const name = /^[A-Za-z_$][\w$]*$/.test(field.name) ? field.name : `'${field.name}'`;
      const comment = commentText(documentationOf(checker, field));
      return `${comment}${name}${isOptional ? '?' : ''}: ${typeText(fieldType, above)};`;
    });
    // A field that is written must be assignable to the type of all others: an optional one only to `unknown`.
    const others = checker
      .getIndexInfosOfType(type)
      .map(({ keyType, valueType }) => [
        typeText(keyType),
        fields.length > 0 ? 'unknown' : typeText(valueType, above),
      ])
      .map(([key, value]) => `[field: ${key}]: ${value};`);
    const lines = [...fields, ...others];
    if (lines.length === 0) return 'object';
    const [only = ''] = lines;
    const text =
      lines.length === 1 && !only.includes('\n') && only.length < 60
        ? `{ ${only.replace(/;$/, '')} }`
        : `{\n${indent(lines.join('\n'))}\n}`;
    return named.get(text) ?? text;
  }

  return typeText;
}

/** A comment before a declaration, or nothing. */
export function commentText(text: string): string {
  if (text === '') return '';
  const lines = text.split('\n');
  return lines.length === 1
    ? `/** ${text} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** Two spaces before every line. */
export const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ');
