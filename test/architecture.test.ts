import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Import, root, type Source, sources } from './support/sources.ts';

const all = sources();
const inside = (folder: string): Source[] => all.filter(({ path }) => path.startsWith(`${folder}/`));

/** Lines `file -> import` for the imports of these files that break a rule. */
function offences(files: readonly Source[], breaks: (made: Import, file: Source) => boolean): string[] {
  return files.flatMap((file) =>
    file.imports
      .filter((made) => breaks(made, file))
      .map(
        ({ to, typeOnly, lazy }) => `${file.path} -> ${lazy ? 'lazily ' : ''}${typeOnly ? 'type ' : ''}${to}`,
      ),
  );
}

/** Expects that no import of these files breaks a rule. */
const expectNone = (...rule: Parameters<typeof offences>): void => expect(offences(...rule)).toEqual([]);

const isOurs = ({ to }: Import): boolean => to.startsWith('src/');
const isPackage = ({ to }: Import): boolean =>
  !/^(src\/|completions\/|docs\/guides\/|man\/|schemas\/|node:)/.test(to);
const under = (to: string, ...places: string[]): boolean =>
  places.some((place) => to === place || to.startsWith(`${place}/`));

describe('who may import whom', () => {
  const noPackage = () => false;
  const lazily = ({ lazy }: Import) => lazy;
  const lazilyOrTypes = ({ lazy, typeOnly }: Import) => lazy || typeOnly;
  interface Layer {
    /** What it may import of src, apart from itself. */
    readonly imports: readonly string[];
    /** Of what it may import types, too. */
    readonly types?: readonly string[];
    readonly mayImport: (library: Import) => boolean;
  }
  const leaf: Layer = { imports: ['src/wire', 'src/errors.ts'], mayImport: lazilyOrTypes };
  const layers: Readonly<Record<string, Layer>> = {
    wire: { imports: [], mayImport: noPackage },
    objects: { imports: ['src/wire'], types: ['src'], mayImport: noPackage },
    api: {
      imports: ['src/wire', 'src/errors.ts'],
      types: ['src/objects'],
      mayImport: ({ to, lazy }) => to === 'valibot' || lazy,
    },
    ssh: leaf,
    config: leaf,
    io: leaf,
    output: leaf,
    watch: { imports: ['src/wire', 'src/errors.ts'], types: ['src'], mayImport: noPackage },
    services: { imports: ['src/wire'], mayImport: lazily },
  };

  test.each(Object.entries(layers))('src/%s imports only what its layer may', (folder, layer) => {
    const { imports, types = [], mayImport } = layer;
    expectNone(inside(`src/${folder}`), (made) => {
      if (isPackage(made)) return !mayImport(made);
      if (!isOurs(made) || under(made.to, `src/${folder}`, ...imports)) return false;
      return !(made.typeOnly && under(made.to, ...types));
    });
  });

  test('src has no import cycle, types and lazy imports included', () => {
    const imports = new Map(all.map((file) => [file.path, file.imports.filter(isOurs).map(({ to }) => to)]));
    const done = new Set<string>();
    const cyclesFrom = (path: string, above: readonly string[]): string[] => {
      if (above.includes(path)) return [[...above.slice(above.indexOf(path)), path].join(' -> ')];
      if (done.has(path)) return [];
      const found = (imports.get(path) ?? []).flatMap((to) => cyclesFrom(to, [...above, path]));
      done.add(path);
      return found;
    };
    expect([...imports.keys()].flatMap((path) => cyclesFrom(path, []))).toEqual([]);
  });

  test.each([
    ['src/api/http/senders.ts', ['got']],
    ['src/api/http/connection.ts', ['hpagent']],
    ['src/config/profiles.ts', ['conf']],
    ['src/config/keyring-program.ts', ['@napi-rs/keyring']],
    ['src/ssh/keys.ts', ['sshpk']],
    ['src/io/browser.ts', ['open']],
    ['src/output/template/template.ts', ['liquidjs']],
  ])('only %s sees %s', (owner, libraries) => {
    expectNone(all, (made, { path }) => libraries.includes(made.to) && path !== owner && !made.typeOnly);
  });

  // What every command speaks: what a command is, how it fails, what it shows, and the wire's vocabulary.
  const vocabulary = [
    'src/api/box-provider.ts',
    'src/api/conditions',
    'src/api/filtered-results.ts',
    'src/api/registry-datacenter.ts',
    'src/command',
    'src/errors.ts',
    'src/objects',
    'src/output/document.ts',
    'src/output/humanize.ts',
    'src/output/line-diff.ts',
    'src/output/diff.ts',
    'src/watch',
    'src/wire',
  ];
  const mayUseState = /^src\/commands\/(plan|apply|validate|export|import)(\/.*)?\.ts$/;
  const mayUseDev = /^src\/commands\/(dev(\/.*)?|quickstart.*)\.ts$/;
  // The tour is the area of the embedded services told at length.
  const area = (path: string): string =>
    mayUseDev.test(path) ? 'dev' : (path.split('/')[2]?.replace(/\.ts$/, '') ?? '');
  // What `run` gives to a command and `ci export` to a job, what `wait` waits for, what `render` writes and where `ssh` keeps a
  // list, is what the get commands show. A host logs in as `secrets login` does.
  const readsToo: Readonly<Record<string, readonly string[]>> = {
    'src/commands/ci/export.ts': ['var'],
    'src/commands/ci/lib/read-values.ts': ['kv', 'run', 'secrets'],
    'src/commands/render.ts': ['run'],
    'src/commands/render/lib/after-change.ts': ['run'],
    'src/commands/render/lib/credentials-value.ts': ['secrets'],
    'src/commands/render/lib/follow-values.ts': ['run'],
    'src/commands/render/lib/registry-values.ts': ['registry'],
    'src/commands/render/lib/secret-values.ts': ['kv', 'secrets'],
    'src/commands/render/lib/variable-value.ts': ['run', 'var'],
    'src/commands/run.ts': ['var'],
    'src/commands/run/lib/credentials.ts': ['secrets'],
    'src/commands/run/lib/keep-token.ts': ['secrets'],
    'src/commands/run/lib/keys.ts': ['registry'],
    'src/commands/run/lib/sources.ts': ['kv', 'var'],
    'src/commands/run/lib/templates.ts': ['render'],
    'src/commands/run/lib/values.ts': ['kv', 'var'],
    'src/commands/ssh/lib/history/registry-store.ts': ['registry'],
    'src/commands/ssh/lib/history/secrets-store.ts': ['kv'],
    'src/commands/ssh/lib/host/login.ts': ['secrets'],
    'src/commands/ssh/lib/revoked/registry-store.ts': ['registry'],
    'src/commands/ssh/lib/revoked/secrets-store.ts': ['kv'],
    'src/commands/wait/key.ts': ['registry'],
    'src/commands/wait/kv.ts': ['kv'],
    'src/commands/wait/service.ts': ['registry'],
    'src/commands/wait/var.ts': ['var'],
  };
  const commands = inside('src/commands').filter(({ path }) => path !== 'src/commands/tree.ts');

  test('a command imports the common vocabulary, its own area and types', () => {
    expectNone(commands, (made, { path }) => {
      if (made.typeOnly || under(made.to, ...vocabulary)) return false;
      if (made.to === 'src/api/account-pages.ts') return area(path) !== 'account';
      if (under(made.to, 'src/state')) return !mayUseState.test(path);
      if (under(made.to, 'src/commands'))
        return ![area(path), ...(readsToo[path] ?? [])].includes(area(made.to));
      if (under(made.to, 'completions')) return area(path) !== 'completion';
      // The services' names and ports; what of src/services is taken is another rule's matter.
      return !(under(made.to, 'src/services', 'src/api/services.ts') && mayUseDev.test(path));
    });
  });

  test('a command takes clock, randomness, process and console from nowhere but its context', () => {
    const forbidden = /(?<![\w.'"`-])(process\.|console\.|Date\.now|Math\.random|new Date\(\))/g;
    expect(
      commands.flatMap(({ path, text }) =>
        [...text.matchAll(forbidden)].map(([found]) => `${path}: ${found}`),
      ),
    ).toEqual([]);
  });

  test('the tree loads every command lazily', () => {
    const tree = all.filter(({ path }) => path === 'src/commands/tree.ts');
    expect(tree).toHaveLength(1);
    expectNone(tree, ({ to, typeOnly, lazy }) => !typeOnly && !(lazy && under(to, 'src/commands')));
  });

  test('only dev, dev run, quickstart and the library load the embedded services, and lazily', () => {
    expectNone(
      all.filter(({ path }) => !path.startsWith('src/services/')),
      (made, { path }) =>
        under(made.to, 'src/services') &&
        !made.typeOnly &&
        !(made.lazy && (mayUseDev.test(path) || path === 'src/library/start.ts')),
    );
  });

  test('the library loads everything but small modules with its first call', () => {
    const small = ['lazy', 'version', 'config-directory'].map((name) => `src/cli/${name}.ts`);
    expectNone(
      inside('src/library'),
      (made) =>
        isPackage(made) ||
        (isOurs(made) &&
          !made.typeOnly &&
          !made.lazy &&
          !under(made.to, 'src/library', 'src/wire', 'src/errors.ts', 'src/api/services.ts', ...small)),
    );
  });

  test('the library neither uses the streams of the process nor ends it', () => {
    const forbidden =
      /(?<![\w.'"`-])(process\.(?!env\b|cwd\(\)|platform\b|versions\b|execPath\b)\w+|console\.\w+)/g;
    expect(
      inside('src/library').flatMap(({ path, text }) =>
        [...text.matchAll(forbidden)].map(([found]) => `${path}: ${found}`),
      ),
    ).toEqual([]);
  });

  test('the contract of commands loads wire, errors and output', () => {
    expectNone(
      inside('src/command'),
      (made) =>
        (!made.typeOnly &&
          !made.lazy &&
          !under(made.to, 'src/command', 'src/wire', 'src/errors.ts', 'src/output')) ||
        under(made.to, 'src/cli', 'src/commands'),
    );
  });

  test('only the program and the library import src/cli', () => {
    expectNone(
      all.filter(({ path }) => !/^src\/(cli|library)\//.test(path)),
      (made) => under(made.to, 'src/cli'),
    );
  });
});

describe('how a file is', () => {
  // The entry of the package is the list of what it promises (docs/adr/0024-library-entry.md).
  const publicEntry = 'src/library/index.ts';

  test('no file but the public entry passes on what another file exports', () => {
    const others = all.filter(({ path }) => path !== publicEntry);
    expect(others.flatMap(({ path, passedOn }) => passedOn.map((line) => `${path}: ${line}`))).toEqual([]);
  });

  test('only a command has a default export', () => {
    expect(
      all
        .filter(({ text }) => /^export default |^export \{[^}]*\bas default\b/m.test(text))
        .map(({ path }) => path)
        .filter((path) => !path.startsWith('src/commands/')),
    ).toEqual([]);
  });

  test('no object literal is spread into another', () => {
    expect(all.filter(({ text }) => text.includes('...{')).map(({ path }) => path)).toEqual([]);
  });

  test('files stay under 300 lines, tables aside', () => {
    const table = /^src\/(commands\/tree|api\/(services|secrets|registry|box|scheduler|accounts))\.ts$/;
    expect(
      all
        .filter(({ path, text }) => !table.test(path) && text.split('\n').length > 300)
        .map(({ path, text }) => `${path}: ${text.split('\n').length} lines`),
    ).toEqual([]);
  });
});

describe('what the built program loads', () => {
  interface Metafile {
    readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, unknown>> }>>;
  }
  const heavy = /(^|\/)node_modules\/(got|conf|ora|sshpk|valibot)\/|^src\/dev\//;

  // Says on standard error what the runtime loads, line by line.
  const telling = `data:text/javascript,${encodeURIComponent(`
    import { writeSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, next) {
        writeSync(2, url + '\\n');
        return next(url, context);
      },
    });
  `)}`;

  /** The source files whose code the built program reads to run a command line. */
  const loadedBy = (args: readonly string[]): string[] => loadedIn([`${root}/bin/lanyard.js`, ...args]);

  /** The same for any program of the built package. */
  function loadedIn(args: readonly string[]): string[] {
    const metafile = `${root}/dist/meta.json`;
    if (!existsSync(metafile)) throw new Error('dist is missing: run "npm run build" first');
    const { outputs } = JSON.parse(readFileSync(metafile, 'utf8')) as Metafile;
    const { status, stderr } = spawnSync(process.execPath, ['--import', telling, ...args], {
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    return stderr
      .split('\n')
      .filter((url) => url.startsWith('file:'))
      .map((url) => relative(root, fileURLToPath(url)).replaceAll('\\', '/'))
      .flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
  }

  test.each([
    ['--version'],
    ['--help'],
    ['ssh sign --help'],
    ['completion bash'],
    ['__complete zsh = -- ssh sign deploy'],
  ])('"lanyard %s" loads no heavy library and no embedded service', (line) => {
    const loaded = loadedBy(line.split(' '));
    expect(loaded).toContain('src/cli/cli.ts');
    expect(loaded.filter((path) => heavy.test(path))).toEqual([]);
  });

  test('a guide and the Markdown library are loaded by "help NAME" only', () => {
    const ofGuides = (line: string): string[] =>
      loadedBy(line.split(' ')).filter((path) => /^docs\/guides\/|\/markdown-it\//.test(path));
    for (const line of ['--version', '--help', 'ssh sign --help', 'help guides', 'help formats'])
      expect(ofGuides(line), line).toEqual([]);
    const loaded = ofGuides('help from-vault');
    expect(loaded.filter((path) => path.startsWith('docs/'))).toEqual(['docs/guides/from-vault.md']);
    expect(loaded.length).toBeGreaterThan(1);
  });

  test('importing the library loads no heavy library, no operation and no embedded service', () => {
    const loaded = loadedIn([`${root}/dist/library/index.mjs`]);
    expect(loaded).toContain('src/library/index.ts');
    const late = /^src\/(services\/|api\/(?!services\.ts)|cli\/api-factory)/;
    expect(loaded.filter((path) => heavy.test(path) || late.test(path))).toEqual([]);
  });

  test('what shells and scripts ask at their own start loads nothing of the tree', () => {
    for (const line of [['--version'], ['--help'], ['help', 'formats'], ['completion', 'bash']]) {
      const loaded = loadedBy(line);
      expect(loaded).not.toContain('src/commands/tree.ts');
      expect(loaded.filter((path) => /^man\/|\/man-/.test(path))).toEqual([]);
    }
  });

  test('help --man loads the one page', () => {
    const loaded = loadedBy(['help', '--man', 'ssh']);
    expect(loaded.filter((path) => path.startsWith('man/'))).toEqual(['man/lanyard-ssh.1']);
    expect(loaded).not.toContain('src/commands/tree.ts');
  });
});
