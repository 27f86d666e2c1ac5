/** The values that the library exports. An ES module cannot see them in the bundled CommonJS module. */
const exported = [
  'LanyardError',
  'accounts',
  'box',
  'formatJson',
  'registry',
  'scheduler',
  'secrets',
  'startServices',
];

/** The files of dist/library besides the bundle: the entry of ES modules, and the declarations of both entries. */
export const libraryFiles = (declarations: string): Readonly<Record<string, string>> => ({
  'dist/library/index.mjs': `import library from './index.js';\n\nexport const { ${exported.join(', ')} } = library;\n`,
  'dist/library/index.d.mts': "export * from './index.js';\n",
  'dist/library/index.d.ts': declarations,
});
