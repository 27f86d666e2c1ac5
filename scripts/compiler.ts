import { fileURLToPath } from 'node:url';
import type { SourceFile } from 'typescript/unstable/ast';
import { API, type Checker, type Program, type Symbol as TypeSymbol } from 'typescript/unstable/sync';

const root = fileURLToPath(new URL('..', import.meta.url));
const configFile = fileURLToPath(new URL('./tsconfig.json', import.meta.url));

/** The types of the commands and of the library, as the compiler infers them. Its process ends with it. */
export class Compiler {
  readonly #api: API;
  readonly #program: Program;
  readonly checker: Checker;

  constructor() {
    // Its process lives for seconds: to collect garbage would take a quarter of its time.
    process.env.GOGC ??= 'off';
    this.#api = new API({ cwd: root });
    const project = this.#api.updateSnapshot({ openProjects: [configFile] }).getProject(configFile);
    if (!project) throw new Error(`${configFile} is not a project`);
    this.checker = project.checker;
    this.#program = project.program;
  }

  [Symbol.dispose](): void {
    this.#api.close();
  }

  /** A source file, by its path in the repository. */
  source(path: string): SourceFile {
    const source = this.#program.getSourceFile(`${root}${path}`);
    if (!source) throw new Error(`${path} is not part of the program`);
    return source;
  }

  /** What a source file exports. */
  exportsOf(path: string): readonly TypeSymbol[] {
    const module = this.checker.getSymbolAtLocation(this.source(path));
    if (!module) throw new Error(`${path} is not a module`);
    return this.checker.getExportsOfModule(module);
  }

  /** A type that a source file exports. */
  exported(path: string, name: string) {
    const symbol = this.exportsOf(path).find((each) => each.name === name);
    if (!symbol) throw new Error(`${path} does not export ${name}`);
    return this.checker.getDeclaredTypeOfSymbol(symbol);
  }
}
