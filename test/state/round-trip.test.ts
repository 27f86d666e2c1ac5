import { afterAll, beforeAll, expect, test } from 'vitest';
import { kinds } from '../../src/state/kinds.ts';
import { type Bench, everyObject, newSetId, stateBench, writeSet } from './bench.ts';
import { imageContent, imageFile } from './other-objects.ts';

// Objects of every kind: exported, applied to an empty cluster, and exported there.

let source: Bench;
let target: Bench;
beforeAll(async () => {
  [source, target] = await Promise.all([stateBench(), stateBench()]);
});
afterAll(async () => {
  await source.close();
  await target.close();
});

const done = async (bench: Bench, argv: readonly string[]) => {
  const ran = await bench.run(argv);
  expect(ran.code, `${argv.join(' ')}\n${ran.stdout}${ran.stderr}`).toBe(0);
  return ran;
};
/** The exported files, without the set; the public keys of generated pairs are those of their cluster. */
const filesOf = ({ at }: Bench, directory: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    at.list(directory).flatMap((path): [string, string][] => {
      const name = path.slice(directory.length + 1);
      if (!name.endsWith('.yaml') || name === 'set.yaml') return [];
      return [[name, at.read(path).replace(/(public_key: \|\n\s*\S+) \S+/, '$1 KEY')]];
    }),
  );

test('an export of one cluster equals the export of another one after it was applied there', async () => {
  writeSet(source, everyObject(), { id: newSetId() });
  await done(source, ['apply', 'state', '--yes']);
  const exported = JSON.parse(
    (await done(source, ['export', 'all', '--no-targets', '--secrets', 'file', '-o', 'json'])).stdout,
  );
  const missing = kinds.flatMap(({ name }) => (exported.objects[name] === undefined ? [name] : []));
  expect(missing).toEqual(['secrets.ssh-issuer']);
  for (const path of source.at.list('all')) target.at.write(path, source.at.read(path));
  // Values of secrets come from elsewhere.
  const values = Object.fromEntries(exported.references.map((name: string) => [name, `value of ${name}`]));
  target.at.write('all/.secrets.json', JSON.stringify(values), 0o600);
  for (const path of target.at.list('all')) {
    const text = target.at.read(path);
    if (!path.includes('/box/provider/') || text.includes('  url: ')) continue;
    target.at.write(path, `${text}  file: ${imageFile}\n`);
    target.at.write(`${path.slice(0, path.lastIndexOf('/'))}/${imageFile}`, imageContent);
  }
  await done(target, ['apply', 'all', '--yes']);
  expect((await done(target, ['plan', 'all'])).stdout).toMatch(/^No changes\./);
  await done(target, ['export', 'again', '--no-targets', '--secrets', 'file']);
  expect(filesOf(target, 'again')).toEqual(filesOf(source, 'all'));
});
