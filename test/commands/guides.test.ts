import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lanyard, lanyardProcess, shell, start } from '../support/process.ts';
import { has } from '../support/require.ts';
import { type Home, home } from '../support/run.ts';

// Runs the commands of the walkthroughs in docs/guides, in order and in one shell, against `lanyard dev`.

/** A command of a guide, and the output that the guide shows below it. */
interface Step {
  readonly command: string;
  readonly shown: readonly string[];
}

const guides = [
  ['openbao.md', 'secrets', 'http://127.0.0.1:8200'],
  ['consul.md', 'registry', 'http://127.0.0.1:8500'],
  ['nomad.md', 'scheduler', 'http://127.0.0.1:4646'],
] as const;

/** Ends the output of a command; its exit code follows. */
const separator = '--- exit code ';

/** The commands of all `console` blocks: lines after `$ `, with continued lines and here-documents. */
function stepsOf(guide: string): Step[] {
  return [...guide.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block = '']) => {
    expect(block).toMatch(/^\$ /);
    const commands = /^\$ (.*<<'END'\n(?:.*\n)*?END|(?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/gm;
    return [...block.matchAll(commands)].map(([, command = '', output = '']) => ({
      command,
      shown: output.split('\n').filter((line) => line !== ''),
    }));
  });
}

/** A line of output, in which `...` is any text and several spaces are a separator of columns. */
const patternOf = (line: string): RegExp =>
  new RegExp(
    `^${line
      .replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
      .replaceAll('\\.\\.\\.', '.+')
      .replaceAll(/ {2,}/g, '\\s+')}$`,
  );

/** The shown lines that the output does not have, in the order of the guide. */
function missingLines(shown: readonly string[], output: readonly string[]): string[] {
  let next = 0;
  return shown.filter((line) => {
    const found = output.findIndex((each, index) => index >= next && patternOf(line).test(each));
    if (found >= 0) next = found + 1;
    return found < 0;
  });
}

/** The commands of a guide that failed, or did not print what the guide shows. Runs them in one shell. */
async function failuresOf(guide: string, at: Home, env: Readonly<Record<string, string>> = {}) {
  const steps = stepsOf(guide);
  expect(steps.length).toBe(guide.match(/^\$ /gm)?.length);
  // The exit code of a command is also that of the lines that report it, for `echo $?`.
  const script = steps.map(({ command }) => `${command}\ncode=$?; echo "${separator}$code"; (exit $code)\n`);
  at.write('guide.sh', `exec 2>&1\n${script.join('')}exit 0\n`);
  const ran = await shell(at, 'sh guide.sh', { ...env, PATH: `${at.file('bin')}:${at.env.PATH}` });

  const results = [...ran.stdout.matchAll(new RegExp(`(.*?)^${separator}(\\d+)\\n`, 'gms'))];
  expect(results, ran.stdout).toHaveLength(steps.length);
  return steps.flatMap(({ command, shown }, index) => {
    const [, output = '', code] = results[index] ?? [];
    const following = steps[index + 1];
    const expected = following?.command === 'echo $?' ? following.shown[0] : '0';
    const missing = missingLines(shown, output.split('\n'));
    return code === expected && missing.length === 0 ? [] : [{ command, code, missing, output }];
  });
}

describe('the guide', () => {
  test.for(guides)('%s works as written', async ([name, service, address], { skip }) => {
    skip(name === 'openbao.md' && !has('ssh-keygen'), 'ssh-keygen is missing');
    const at = home();
    onTestFinished(() => at.remove());
    at.write('bin/lanyard', `#!/bin/sh\nexec ${lanyard} "$@"\n`, 0o700);
    const services = start(at, ['dev', '--uninitialized', '--port', '0', '-o', 'json']);
    const { addresses } = JSON.parse(await services.until(/^\}$/m));

    const guide = readFileSync(`docs/guides/${name}`, 'utf8').replaceAll(address, addresses[service]);
    expect(await failuresOf(guide, at)).toEqual([]);
  });

  test('state.md works as written, with other services as the cluster', async () => {
    const [at, cluster] = [home(), home()];
    onTestFinished(() => at.remove());
    onTestFinished(() => cluster.remove());
    at.write('bin/lanyard', `#!/bin/sh\nexec ${lanyard} "$@"\n`, 0o700);
    const started = [at, cluster].map((each) => start(each, ['dev', '--port', '0', '-o', 'json']));
    const [, prod = ''] = await Promise.all(started.map((each) => each.until(/^\}$/m)));
    const { addresses, tokens } = JSON.parse(prod);
    const { stdout: registryToken } = await lanyardProcess(cluster, [
      'acl',
      'bootstrap',
      '--field',
      'SecretID',
    ]);

    const guide = readFileSync('docs/guides/state.md', 'utf8')
      .replaceAll('https://vault.example.com:8200', addresses.secrets)
      .replaceAll('https://consul.example.com:8501', addresses.registry)
      .replaceAll('https://nomad.example.com:4646', addresses.scheduler);
    const environment = {
      PROD_VAULT_TOKEN: tokens.secrets,
      PROD_CONSUL_TOKEN: registryToken.trim(),
      PROD_NOMAD_TOKEN: 'unused',
    };
    expect(await failuresOf(guide, at, environment)).toEqual([]);
  });
});
