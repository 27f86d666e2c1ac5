import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorOf, expectOutput, homeForAll, words } from '../support/command-tests.ts';
import { committed } from '../support/committed.ts';

const at = homeForAll();
const run = (argv: string, columns?: number) =>
  at.run(words(argv), columns === undefined ? {} : { columns, env: { PATH: at.path } });

describe('in a pipe', () => {
  test.each([
    ['help --man', 'lanyard.1'],
    ['help --man ssh', 'lanyard-ssh.1'],
    ['help ssh --man', 'lanyard-ssh.1'],
    ['help --man ssh sign', 'lanyard-ssh.1'],
    ['help --man ssh role', 'lanyard-ssh.1'],
    ['help --no-color --man status', 'lanyard-status.1'],
    ['help --man config', 'lanyard-config.5'],
  ])('"%s" prints the source of %s', async (argv, file) => {
    expect(await run(argv)).toEqual({ code: 0, stdout: await committed(`man/${file}`), stderr: '' });
  });

  test('every page can be printed', async () => {
    for (const file of readdirSync(new URL('../../man', import.meta.url))) {
      const area = file.replace(/^lanyard-?(.*)\.\d$/, '$1');
      expect((await run(`help --man ${area}`.trim())).stdout, file).toBe(await committed(`man/${file}`));
    }
  });
});

describe('on a terminal without man and mandoc', () => {
  test.each([40, 80, 200])('the page is printed as text, with %i columns', async (columns) => {
    const { code, stdout, stderr } = await run('help --man ssh', columns);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [header = ''] = stdout.split('\n');
    expect(header).toMatch(/^LANYARD-SSH\(1\) +Lanyard Manual +LANYARD-SSH\(1\)$/);
    expect(header).toHaveLength(Math.max(Math.min(columns, 110), 44));
    expect(stdout).toContain('\nNAME\n       lanyard-ssh - sign SSH keys');
    expect(stdout).toContain('\n   lanyard ssh sign\n       Sign a public key for a user or a');
  });

  test('a page that is longer than the terminal is shown by the pager', async () => {
    const env = { PATH: at.path, PAGER: `while read -r line; do echo "$line"; done > '${at.file('paged')}'` };
    expectOutput(await at.run(words('help --man status'), { columns: 80, rows: 24, env }), '');
    expect(at.read('paged')).toContain('lanyard-status - show service health');
  });
});

describe('a page that does not exist', () => {
  test.each([
    ['help --man nonsense', 'no man page for "nonsense"', 'hint: Pages: '],
    ['help --man ssh nonsense', 'no man page for "ssh nonsense"', 'hint: Pages: '],
    ['help --man constructor', 'no man page for "constructor"', 'hint: Pages: '],
    ['help --man formats', 'no man page for topic "formats"', 'hint: Run `lanyard help formats`'],
  ])('"%s" is a usage error', async (argv, message, hint) => {
    const { code, stdout, stderr } = await run(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`error: ${message}\n`);
    expect(stderr).toContain(hint);
  });

  test('is one JSON object with -o json', async () => {
    expect(errorOf(await run('help --man nonsense -o json'), 2)).toMatchObject({ kind: 'usage' });
  });
});
