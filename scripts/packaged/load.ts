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

/**
 * Loads CommonJS modules that are no files, each when it is first required. They stand beside no file, either:
 * they have no `__dirname`.
 *
 * @param compiled is told of each module that was compiled.
 */
export function loader(parts: Parts, compiled: (name: string, script: Script) => void = () => {}): Load {
  const loaded = new Map<string, { exports: object }>();
  const load: Load = (name) => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const cachedData = parts.compiled(name);
    const script = new Script(parts.code(name), { filename: name, ...(cachedData && { cachedData }) });
    compiled(name, script);
    script.runInThisContext()(module.exports, require, module);
    return module.exports;
  };
  const require = (id: string): object => {
    if (id.startsWith('.')) return load(id.slice(id.lastIndexOf('/') + 1));
    const found = process.getBuiltinModule(id);
    if (!found) throw new Error(`${id} is not in this program`);
    return found;
  };
  return load;
}
