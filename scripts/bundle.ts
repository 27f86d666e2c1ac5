import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:http2';
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
      return { contents };
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

// Got reads names and numbers of the HTTP/2 protocol as soon as it is loaded, and with them all of Node's HTTP/2
// and TLS: 7 MiB and some milliseconds of every call. They are written into its code.
const http2Constants = changing(
  'http2-constants',
  /[\\/]got[\\/]dist[\\/]source[\\/]core[\\/]utils[\\/]http2-client\.js$/,
  (code) =>
    code.replace(/const \{([\w,\s]+)\} = http2\.constants;/, (_all, names: string) =>
      (names.match(/\w+/g) ?? [])
        .map((name) => `const ${name} = ${JSON.stringify(constants[name as keyof typeof constants])};`)
        .join('\n'),
    ),
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

// Every runtime from 22.15 on has Zstandard; to ask for it loads Node's compression before it is needed.
const zstandardThere = changing('zstandard-there', /[\\/]decompress-response([\\/]index)?\.js$/, (code) =>
  code.replace(/typeof zlib\.createZstdDecompress === 'function'/, 'true'),
);

// The help of the whole takes the tree, the flags and the topics to make, and is always the same.
const rootPageAtBuild: Plugin = {
  name: 'root-page-at-build',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]root-page\.ts$/ }, async ({ path }) => {
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
  loader: { '.bash': 'text', '.zsh': 'text', '.fish': 'text', '.ps1': 'text' },
  define: { __LANYARD_VERSION__: JSON.stringify(version) },
  plugins: [listFormatsWhenNeeded, http2Constants, serverIdentityWhenNeeded, zstandardThere, rootPageAtBuild],
} satisfies BuildOptions;

/** Smaller, so quicker to read; names stay, because a stack trace tells what happened by them. */
export const smaller = { minifyWhitespace: true, minifySyntax: true } as const;
