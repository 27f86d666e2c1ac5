import { fileURLToPath } from 'node:url';
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
import { API, type Checker, type Program, SymbolFlags, type Type } from 'typescript/unstable/sync';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The types of the results of commands, as the type checker infers them from the code. */
export class CommandTypes {
  readonly #api: API;
  readonly #program: Program;
  readonly checker: Checker;

  constructor() {
    this.#api = new API({ cwd: root });
    const snapshot = this.#api.updateSnapshot({ openProjects: [`${root}tsconfig.json`] });
    const [project] = snapshot.getProjects();
    if (!project) throw new Error('cannot open tsconfig.json');
    this.checker = project.checker;
    this.#program = project.program;
  }

  [Symbol.dispose](): void {
    this.#api.close();
  }

  /**
   * The types of the data that a command returns or shows; none for a dry run, and for text without data.
   *
   * @param file of the command, below the repository.
   */
  dataOf(file: string): readonly Type[] {
    const source = this.#source(file);
    const results = [...this.#returned(source), ...this.#shown(source)];
    return results.filter((type) => !this.#isDryRun(type)).flatMap((type) => this.#property(type, 'data'));
  }

  /** A type that a file exports. */
  exported(file: string, name: string): Type {
    const module = this.checker.getSymbolAtLocation(this.#source(file));
    const symbol = module && this.checker.getMemberInModuleExports(module, name);
    if (!symbol) throw new Error(`${file} does not export ${name}`);
    return this.checker.getDeclaredTypeOfSymbol(symbol);
  }

  #source(file: string): SourceFile {
    const source = this.#program.getSourceFile(`${root}${file}`);
    if (!source) throw new Error(`${file} is not part of the program`);
    return source;
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
    const type = this.checker.getTypeAtLocation(run);
    const [signature] = type ? this.checker.getSignaturesOfType(type, 0) : [];
    const returned = signature && this.checker.getReturnTypeOfSignature(signature);
    const awaited = returned && this.checker.getTypeArguments(returned as never)[0];
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
            ? this.checker.getTypeAtLocation(result)
            : undefined;
        if (type) found.push(type);
      }
      node.forEachChild(visit);
    };
    visit(source);
    return found;
  }

  #isDryRun(type: Type): boolean {
    const property = this.checker.getPropertyOfType(type, 'isDryRun');
    return property !== undefined && (property.flags & SymbolFlags.Optional) === 0;
  }

  #property(type: Type, name: string): readonly Type[] {
    const property = this.checker.getPropertyOfType(type, name);
    const value = property && this.checker.getTypeOfSymbol(property);
    return value ? [value] : [];
  }
}
