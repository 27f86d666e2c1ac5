import { readFileSync, rmSync } from 'node:fs';
import { Writable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isLocal } from '../../src/command/changed.ts';
import { tree } from '../../src/commands/tree.ts';
import { factsOf } from '../facts/facts.ts';
import { homeForTest } from '../support/command-tests.ts';
import { lanyard, lanyardProcess } from '../support/process.ts';
import { has } from '../support/require.ts';
import type { Home } from '../support/run.ts';
import { answers, files, password, scripts, variables } from './example-files.ts';
import { parseShellLine } from './shell-line.ts';

// Runs the examples of every command's help, in the order of the tree, against `lanyard dev`.

/** Groups whose examples end the login or delete the account of the others of their area. */
const apart = ['account delete', 'account token'];

/** Examples of one area are run one after the other, against services of their own. */
const areaOf = (path: string): string =>
  apart.find((group) => path.startsWith(group)) ?? path.split(' ')[0] ?? '';

/** An example that runs until it is interrupted: test/commands/watch/watch.test.ts. */
const isWatching = (example: string): boolean => / --watch(?! restart)( |$)/.test(example);

/** The command lines of a row: one on each line. */
const linesOf = (text = ''): readonly string[] => text.split('\n').flatMap((line) => line.trim() || []);

/** Runs `lanyard dev` with a profile in this process. @returns what it prints, and a function that ends it */
async function runDev(at: Home) {
  const stop = new AbortController();
  const { promise: printed, resolve } = Promise.withResolvers<string>();
  const argv = ['dev', '--port', '0', '--password', 'env://PASSWORD', '--datacenters', 'dc1,dc2'];
  const ended = at.run([...argv, '-o', 'json'], {
    env: { PASSWORD: password },
    signal: stop.signal,
    stdout: new Writable({ write: (text, _encoding, done) => done(void resolve(String(text))) }),
  });
  const failed = ended.then(({ stderr }) => Promise.reject(new Error(stderr)));
  return {
    started: JSON.parse(await Promise.race([printed, failed])),
    end: async () => {
      stop.abort();
      await ended;
    },
  };
}

/** Starts `lanyard dev`, and writes the files that examples name. @returns a function that ends it */
async function prepared(at: Home): Promise<() => Promise<void>> {
  const { started, end } = await runDev(at);
  const { tokens } = started;
  for (const [name, content] of Object.entries({ ...files, 'token.txt': tokens.secrets }))
    at.write(name, content);
  for (const [name, script] of Object.entries({ 'bin/lanyard': `exec ${lanyard} "$@"`, ...scripts }))
    at.write(name, `#!/bin/sh\n${script}\n`, 0o700);
  Object.assign(at.env, variables, { HOME: at.path, PATH: `${at.file('bin')}:${process.env.PATH}` });
  return end;
}

/** How the text begins with which a command says that it has changed something. */
const success =
  /^(Added|Applied|Created|Deleted|Deregistered|Destroyed|Disabled|Downloaded|Enabled|Imported|Logged|Moved|Registered|Released|Removed|Renewed|Restored|Revoked|Rolled|Saved|Set|Stored|Updated|Uploaded|Wrote) /;

/** Runs a line as a shell would, with answers to prompts. @returns what happened, unless it ended with the code. */
async function failureOf(at: Home, line: string, code = 0, saysDone = true): Promise<string | undefined> {
  const [, variable, assigned] = /^([A-Z_]+)=\$\((.*)\)$/.exec(line) ?? [];
  const { env, argv, stdin, out, appends } = parseShellLine(assigned ?? line, at);
  const ran = await at.run(argv, {
    env,
    ...(stdin === undefined
      ? {
          ...(out === undefined && assigned === undefined && { columns: 200 }),
          answers: (output) => answers.find(([prompt]) => prompt.test(output))?.[1],
        }
      : { stdin }),
  });
  if (out !== undefined) at.write(out, (appends && at.list().includes(out) ? at.read(out) : '') + ran.stdout);
  if (variable !== undefined) at.env[variable] = ran.stdout.trim();
  if (!saysDone && success.test(ran.stdout)) return `${line}: a command that writes is not declared as one`;
  return ran.code === code ? undefined : `${line}: ${ran.code}\n${ran.stdout}${ran.stderr}`;
}

describe('the examples of', () => {
  test.each([...new Set(tree.map(({ path }) => areaOf(path)))])('%s', async (area) => {
    const at = homeForTest();
    onTestFinished(await prepared(at));
    const failures: (string | undefined)[] = [];
    for (const { path, load } of tree.filter((entry) => areaOf(entry.path) === area)) {
      const { examples = [], writes, changes = [] } = (await load()).default;
      expect(examples.length, path).toBeGreaterThan(0);
      const { before, examples: rows = {} } = factsOf(path);
      for (const line of linesOf(before)) failures.push(await failureOf(at, line));
      for (const example of examples) {
        const row = rows[example] ?? rows.every ?? {};
        if (row.elsewhere !== undefined || isWatching(example)) continue;
        for (const line of linesOf(row.before)) failures.push(await failureOf(at, line));
        failures.push(await failureOf(at, example, row.code, writes !== undefined || changes.some(isLocal)));
      }
    }
    expect(failures.filter((each) => each !== undefined)).toEqual([]);
  });

  test.skipIf(!has('ssh-keygen'))('the README', async () => {
    const at = homeForTest();
    onTestFinished(await prepared(at));
    const [, block = ''] = /```console\n(.*?)```/s.exec(readFileSync('README.md', 'utf8')) ?? [];
    const typed = [...block.matchAll(/^\$ ((?:.*\\\n)*.*)$/gm)].map(([, line = '']) => line);
    expect(typed.shift()).toBe('lanyard dev run -- bash');
    at.write('typed.sh', typed.map((line) => `${line} || exit 1\n`).join(''));
    rmSync(at.file('id_ed25519.pub'));
    const ran = await lanyardProcess(at, ['dev', 'run', '--', 'bash', 'typed.sh'], {
      PATH: at.env.PATH ?? '',
    });
    expect(ran).toMatchObject({ code: 0 });
    // The rows of the certificate, less its times.
    for (const row of ['certificate', 'principals', 'extensions', 'critical options']) {
      const shown = new RegExp(`^${row} +(.*)$`, 'm').exec(block)?.[1];
      expect(ran.stdout).toMatch(new RegExp(`^${row}\t${shown}$`, 'm'));
    }
  });
});
