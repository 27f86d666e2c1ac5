import { fileURLToPath } from 'node:url';
import { API, type Checker, type Symbol as TypeSymbol } from 'typescript/unstable/sync';

/** The package's folder, with a trailing slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url));
const configFile = fileURLToPath(new URL('./tsconfig.json', import.meta.url));

/** The compiler's view of the library and of what it imports. */
export interface Library {
  readonly checker: Checker;
  /** The exports of a source file, by its path in the repository. */
  exportsOf(path: string): readonly TypeSymbol[];
}

/** Reads the library with the compiler, and ends the compiler's process. */
export function withLibrary<Result>(read: (library: Library) => Result): Result {
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProjects: [configFile] }).getProject(configFile);
    if (!project) throw new Error(`${configFile} is not a project`);
    const { checker, program } = project;
    const exportsOf: Library['exportsOf'] = (path) => {
      const file = program.getSourceFile(`${root}${path}`);
      const module = file && checker.getSymbolAtLocation(file);
      if (!module) throw new Error(`${path} is not a module of the library`);
      return checker.getExportsOfModule(module);
    };
    return read({ checker, exportsOf });
  } finally {
    api.close();
  }
}
