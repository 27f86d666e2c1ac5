import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';

/** The package's folder, without a trailing slash. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { version: string };

/** Changes the code of libraries' files while they are bundled. */
const changing = (name: string, filter: RegExp, change: (code: string) => string): Plugin => ({
  name,
  setup({ onLoad }) {
    onLoad({ filter }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      const contents = change(code);
      if (contents === code) throw new Error(`${path} has nothing for "${name}" any more: this step can go`);
      return { contents, loader: path.endsWith('.json') ? 'json' : 'js' };
    });
  },
});

// A library of got makes two formatters for the messages of failed assertions as soon as it is loaded, and with
// them the runtime's language data is read: as much time as half of the runtime's own start. They are made
// when a message needs them.
const listFormatsWhenNeeded = changing(
  'list-formats-when-needed',
  /[\\/]@sindresorhus[\\/]is[\\/]dist[\w]*[\\/]index\.js$/,
  (code) => code.replace(/= (new Intl\.ListFormat\([^;]*\));/g, '= { format: (list) => $1.format(list) };'),
);

// Got looks up Node's check of a server's name for every call, which loads all of TLS for plain HTTP, too.
const serverIdentityWhenNeeded = changing(
  'server-identity-when-needed',
  /[\\/]got[\\/]dist[\\/]source[\\/]core[\\/]options\.js$/,
  (code) =>
    code.replace(
      '?? checkServerIdentity,',
      '?? ((name, certificate) => checkServerIdentity(name, certificate)),',
    ),
);

// Got gives each request an ID for subscribers of a diagnostics channel, which Lanyard does not have. A random UUID
// loads all of Node's cryptography.
const requestIdWithoutCrypto = changing(
  'request-id-without-crypto',
  /[\\/]got[\\/]dist[\\/]source[\\/]core[\\/]diagnostics-channel\.js$/,
  (code) => code.replace('return randomUUID();', "return '';"),
);

// Got looks up the web streams for the body of every request, which loads them; a request without a body has none.
const webStreamsWhenNeeded = changing(
  'web-streams-when-needed',
  /[\\/]got[\\/]dist[\\/]source[\\/]core[\\/]index\.js$/,
  (code) => code.replace('_destroyBody(body) {', '$& if (body === undefined) return;'),
);

// Every runtime from 22.15 on has Zstandard; to ask for it loads Node's compression before it is needed.
const zstandardThere = changing('zstandard-there', /[\\/]decompress-response([\\/]index)?\.js$/, (code) =>
  code.replace(/typeof zlib\.createZstdDecompress === 'function'/, 'true'),
);

// Commander looks for a letter of any script before the dots of a flag's repeated value; for that the runtime reads its
// tables of letters, once in each process. The names of Lanyard's values are ASCII.
const asciiNamesOfValues = changing(
  'ascii-names-of-values',
  /[\\/]commander[\\/]lib[\\/]option\.js$/,
  (code) => code.replace('\\p{ID_Continue}', '\\w'),
);

// ora draws one of 90 spinners: `dots`, or `line` where the terminal has no Unicode.
const usedSpinners = changing('used-spinners', /[\\/]cli-spinners[\\/]spinners\.json$/, (code) => {
  const { dots, line } = JSON.parse(code) as Record<string, unknown>;
  return JSON.stringify({ dots, line });
});

/** Parts of libraries for options that Lanyard does not set, by the library that imports them. */
const unusedParts: Readonly<Record<string, readonly string[]>> = {
  // conf: a JSON Schema of the file, and migrations between versions of it.
  conf: ['ajv/dist/2020.js', 'ajv-formats', 'semver'],
  // got: a cache of responses, HTTP/2 (which also reads all of Node's HTTP/2 and TLS as soon as it is loaded: 7 MiB
  // and some milliseconds of every command) and a cache of DNS lookups.
  got: ['cacheable-request', './utils/http2-client.js', './utils/dns-cache.js'],
  // sshpk: X.509 certificates, identities in them, and Diffie-Hellman.
  sshpk: ['./certificate', './identity', './dhe', '../dhe'],
};

/** Leaves unused parts out of the bundle. What uses one after all fails with its name. */
const withoutUnusedParts: Plugin = {
  name: 'without-unused-parts',
  setup({ onResolve, onLoad }) {
    for (const [library, parts] of Object.entries(unusedParts)) {
      const importer = new RegExp(`[\\\\/]node_modules[\\\\/]${library}[\\\\/]`);
      onResolve(
        { filter: new RegExp(`^(${parts.join('|').replaceAll('.', '\\.')})$`) },
        ({ path, importer: from }) => (importer.test(from) ? { path, namespace: 'unused-part' } : undefined),
      );
    }
    onLoad({ filter: /^/, namespace: 'unused-part' }, ({ path }) => ({
      contents: `
        const unused = function () { throw new Error(${JSON.stringify(`${path} is not part of this program`)}); };
        module.exports = new Proxy(unused, {
          get: (target, name) => (name === 'prototype' ? target.prototype : typeof name === 'symbol' || name === '__esModule' ? undefined : unused),
        });`,
    }));
  },
};

// The help of the whole takes the tree, the flags and the topics to make, and is always the same.
const rootPageAtBuild: Plugin = {
  name: 'root-page-at-build',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]cli[\\/]help[\\/]root-page\.ts$/ }, async ({ path }) => {
      const page: object = await import(pathToFileURL(path).href);
      const members = Object.entries(page).map(
        ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
      );
      return { contents: members.join('\n') };
    });
  },
};

/** What both forms of the program share: all libraries inside, except the keyring, which is native code. */
export const bundling = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node22.19',
  external: ['@napi-rs/keyring'],
  loader: {
    '.bash': 'text',
    '.zsh': 'text',
    '.fish': 'text',
    '.ps1': 'text',
    '.1': 'text',
    '.5': 'text',
    '.md': 'text',
  },
  define: { __LANYARD_VERSION__: JSON.stringify(version) },
  plugins: [
    listFormatsWhenNeeded,
    usedSpinners,
    asciiNamesOfValues,
    serverIdentityWhenNeeded,
    requestIdWithoutCrypto,
    webStreamsWhenNeeded,
    zstandardThere,
    withoutUnusedParts,
    rootPageAtBuild,
  ],
} satisfies BuildOptions;

/**
 * Smaller, so quicker to read; names stay, because a stack trace tells what happened by them. Node prints the line that
 * an uncaught error is from, so lines are short.
 */
export const smaller = { minifyWhitespace: true, minifySyntax: true, lineLimit: 100 } as const;
