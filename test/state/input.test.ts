import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { userFiles } from '../../src/cli/context/user-files.ts';
import { LanyardError } from '../../src/errors.ts';
import { readStateFiles, type StateSources } from '../../src/state/input.ts';
import { formatPosition } from '../../src/state/problems.ts';
import { homeForAll } from '../support/command-tests.ts';

const at = homeForAll();
beforeEach(() => at.clear('set'));

const setDocument = 'apiVersion: lanyard/v1\nkind: Set\nmetadata: {name: web, id: k7f3q9x2wm}\n';
const policy = (name: string): string =>
  `apiVersion: lanyard/v1\nkind: registry.policy\nmetadata: {name: ${name}}\nspec: {Description: d}\n`;

const sources = (stdin = ''): StateSources => ({
  input: { readStdin: async () => Buffer.from(stdin) },
  files: userFiles({ cwd: at.path }, at.file('config')),
});
const options = { allowsUnknownFields: false };
const read = (paths: readonly string[], stdin?: string) => readStateFiles(paths, sources(stdin), options);
const problemsOf = async (paths: readonly string[], stdin?: string): Promise<readonly string[]> =>
  (await read(paths, stdin)).problems.map(
    ({ position, message }) => `${formatPosition(position)}: ${message}`,
  );
const errorOf = (paths: readonly string[]): Promise<unknown> => read(paths).catch((error: unknown) => error);

describe('files, directories and standard input', () => {
  test('reads every YAML and JSON file below a directory once, in the order of the names', async () => {
    at.write('set/b/policy.yml', policy('b'));
    at.write('set/a.yaml', policy('a'));
    at.write('set/set.yaml', setDocument);
    at.write(
      'set/c.JSON',
      '{"apiVersion": "lanyard/v1", "kind": "registry.policy", "metadata": {"name": "c"}}',
    );
    at.write('set/notes.txt', 'not a document');
    at.write('set/.hidden/d.yaml', 'broken: [');
    at.write('set/.e.yaml', 'broken: [');
    const found = await read(['set', './set/a.yaml']);
    expect(found.problems).toEqual([]);
    expect(found.files.map(({ name }) => name)).toEqual([
      'set/a.yaml',
      'set/b/policy.yml',
      'set/c.JSON',
      'set/set.yaml',
    ]);
    expect(found.documents.map(({ identity }) => identity.key)).toEqual(['a', 'b', 'c']);
    expect(found.set?.name).toBe('web');
    expect(found.isFromDirectories).toBe(false);
    expect((await read(['set'])).isFromDirectories).toBe(true);
  });

  test('skips links, pipes and names that are not UTF-8, unless they are named as documents', async () => {
    at.write('set/set.yaml', setDocument);
    at.write('set/run/deploy.sh', '');
    symlinkSync('nowhere', at.file('set/link.txt'));
    symlinkSync('/etc/passwd', at.file('set/run/passwd'));
    execFileSync('mkfifo', [at.file('set/run/pipe')]);
    const odd = (name: string) => Buffer.concat([Buffer.from(at.file('set/')), Buffer.from(name, 'latin1')]);
    writeFileSync(odd('b\xe9.txt'), '');
    expect((await read(['set'])).names).toEqual(['set/set.yaml']);
    writeFileSync(odd('b\xe9.yaml'), '');
    expect(await errorOf(['set'])).toMatchObject({
      message: expect.stringMatching(/^invalid file name .*: not UTF-8$/),
    });
    expect(await errorOf(['set/b\ufffd.yaml'])).toMatchObject({
      message: 'cannot read set/b\ufffd.yaml: the file name is not UTF-8',
    });
    rmSync(odd('b\xe9.yaml'));
    // The documents behind it would be missing from the set.
    symlinkSync('/etc', at.file('set/shared'));
    expect(await errorOf(['set'])).toMatchObject({ message: expect.stringContaining('shared is neither') });
  });

  test('names a pipe that is given instead of a file', async () => {
    at.write('set/set.yaml', setDocument);
    execFileSync('mkfifo', [at.file('set/pipe.yaml')]);
    expect(await errorOf(['set/pipe.yaml'])).toMatchObject({
      message: 'cannot read set/pipe.yaml: not a regular file or directory',
      hint: 'Use - to read standard input.',
    });
    expect(await errorOf(['set'])).toMatchObject({
      message: expect.stringContaining('pipe.yaml is neither'),
    });
  });

  test('reads standard input', async () => {
    const found = await read(['-'], `${setDocument}---\n${policy('a')}---\n`);
    expect(found.documents.map(({ source }) => formatPosition(source))).toEqual(['standard input:6:1']);
    expect(found.isFromDirectories).toBe(false);
  });

  test('rejects a missing path, a directory without documents and a symbolic link', async () => {
    at.write('set/notes.txt', '');
    expect(await errorOf(['set'])).toMatchObject({
      kind: 'usage',
      message: 'cannot read set: no files *.yaml, *.yml or *.json',
    });
    expect(await errorOf(['none'])).toMatchObject({ kind: 'usage' });
    at.write('outside.yaml', policy('a'));
    symlinkSync(at.file('outside.yaml'), at.file('set/link.yaml'));
    expect(await errorOf(['set'])).toSatisfy(
      (error) => error instanceof LanyardError && /link\.yaml is neither/.test(error.message),
    );
  });

  test('reports files that are not UTF-8 with the problems of the others', async () => {
    at.write('set/a.yaml', new Uint8Array([0x61, 0xff]));
    at.write('set/b.yaml', policy('b').replace('spec', 'specs'));
    expect(await problemsOf(['set'])).toEqual([
      'set/a.yaml:1:1: not UTF-8 text',
      'set/b.yaml:4:1: unknown field "specs", did you mean "spec"?',
    ]);
  });

  test('reports aliases that expand without limit', async () => {
    const levels = [...'bcdefghi'].map(
      (name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(', ')}]`,
    );
    at.write('set/a.yaml', `a: &a [x]\n${levels.join('\n')}\n`);
    expect(await problemsOf(['set'])).toEqual(['set/a.yaml:1:1: not valid YAML: too many aliases']);
  });
});
