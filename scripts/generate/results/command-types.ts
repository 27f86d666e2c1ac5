import {
  isCallExpression,
  isExportAssignment,
  isIdentifier,
  isMethodDeclaration,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast';
import { SymbolFlags, type Type } from 'typescript/unstable/sync';
import type { Compiler } from '../../compiler.ts';

/** The types of the results of commands, as the type checker infers them from the code. */
export class CommandTypes {
  readonly #compiler: Compiler;

  constructor(compiler: Compiler) {
    this.#compiler = compiler;
  }

  /**
   * The types of the data that a command returns or shows; none for a dry run, and for text without data.
   *
   * @param file of the command, below the repository.
   */
  dataOf(file: string): readonly Type[] {
    const source = this.#compiler.source(file);
    const results = [...this.#returned(source), ...this.#shown(source)];
    return results.filter((type) => !this.#isDryRun(type)).flatMap((type) => this.#property(type, 'data'));
  }

  /** The results that `run` of a command returns. */
  #returned(source: SourceFile): readonly Type[] {
    const definition = source.statements.find(isExportAssignment)?.expression;
    const [object] = definition && isCallExpression(definition) ? definition.arguments : [];
    const members = object && isObjectLiteralExpression(object) ? object.properties : [];
    const run = members.find(
      (member) =>
        (isMethodDeclaration(member) || isPropertyAssignment(member)) &&
        isIdentifier(member.name) &&
        member.name.text === 'run',
    );
    if (!run) throw new Error(`${source.fileName} does not export a command`);
    const type = this.#compiler.checker.getTypeAtLocation(run);
    const [signature] = type ? this.#compiler.checker.getSignaturesOfType(type, 0) : [];
    const returned = signature && this.#compiler.checker.getReturnTypeOfSignature(signature);
    const awaited = returned && this.#compiler.checker.getTypeArguments(returned as never)[0];
    if (!awaited) throw new Error(`${source.fileName}: unknown result`);
    return awaited.isUnionType() ? awaited.getTypes() : [awaited];
  }

  /** The results that a command shows before it ends: `ctx.output.show({ data, ... })`. */
  #shown(source: SourceFile): readonly Type[] {
    const found: Type[] = [];
    const visit = (node: Node): void => {
      if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
        const [result] = node.arguments;
        const type =
          node.expression.name.text === 'show' && result && isObjectLiteralExpression(result)
            ? this.#compiler.checker.getTypeAtLocation(result)
            : undefined;
        if (type) found.push(type);
      }
      node.forEachChild(visit);
    };
    visit(source);
    return found;
  }

  #isDryRun(type: Type): boolean {
    const property = this.#compiler.checker.getPropertyOfType(type, 'isDryRun');
    return property !== undefined && (property.flags & SymbolFlags.Optional) === 0;
  }

  #property(type: Type, name: string): readonly Type[] {
    const property = this.#compiler.checker.getPropertyOfType(type, name);
    const value = property && this.#compiler.checker.getTypeOfSymbol(property);
    return value ? [value] : [];
  }
}
