import { Script } from 'node:vm';

/** What a packaged program holds of each of its modules, by the name of its file. */
export interface Parts {
  code(name: string): string;
  /** The module's compiled code, where there is some. */
  compiled(name: string): Buffer | undefined;
}

type Load = (name: string) => object;

/** How a module is stored: as the function that CommonJS makes of it. */
export const wrapped = (code: string): string =>
  `(function (exports, require, module, __filename, __dirname) {${code}\n})`;

interface LoaderOptions {
  /** Called with each module that was compiled. */
  readonly compiled?: (name: string, script: Script) => void;
  /** Native libraries, by the name that the program requires. */
  readonly natives?: Readonly<Record<string, () => object>>;
}

/** Loads CommonJS modules that are not files, each when it is first required. They have no `__dirname`. */
export function loader(parts: Parts, { compiled, natives = {} }: LoaderOptions = {}): Load {
  const loaded = new Map<string, { exports: object }>();
  const load: Load = (name) => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const cachedData = parts.compiled(name);
    const script = new Script(parts.code(name), { filename: name, ...(cachedData && { cachedData }) });
    compiled?.(name, script);
    script.runInThisContext()(module.exports, require, module);
    return module.exports;
  };
  const require = (id: string): object => {
    if (id.startsWith('.')) return load(id.slice(id.lastIndexOf('/') + 1));
    const found = natives[id]?.() ?? process.getBuiltinModule(id);
    if (!found) throw new Error(`${id} is not in this program`);
    return found;
  };
  return load;
}
