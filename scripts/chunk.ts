// What the bundler's modules still need before Node runs them. The code is as esbuild writes it without
// minifying.

/**
 * Lets `await import()` of a CommonJS library give its members by name, as Node does; the bundler's chunk
 * exports only the whole.
 *
 * @param isCommonJs tells by the chunk's file name.
 */
export function nameMembers(code: string, isCommonJs: (file: string) => boolean): string {
  return code.replace(/\bimport\("[./]*(?:chunks\/)?([\w.-]+\.js)"\)/g, (call, file: string) =>
    isCommonJs(file) ? `${call}.then(({ default: all }) => ({ ...all, default: all }))` : call,
  );
}

const load = /^var (import_\w+) = (?:__toESM\()?require\("(?:node:)?([a-z][\w/]*)"\)(?:, 1\))?\)?;$/gm;

/**
 * Loads each of Node's built-in modules when it is first used, not when a library that may use it is loaded:
 * TLS and HTTP/2 alone take longer than the call of a service over plain HTTP.
 *
 * @param code a CommonJS module made of an ES module, so that every use reads a member of what was loaded.
 */
export function loadBuiltInsLazily(code: string): string {
  const lazy = code.replace(load, 'const $1 = __builtIn("node:$2");');
  return lazy === code ? code : `${helper}${lazy}`;
}

const helper = `const __builtIn = (name) => {
  let whole;
  return new Proxy({}, {
    get(_target, member) {
      whole ??= require(name);
      return member === "default" ? whole : whole[member];
    },
  });
};
`;
