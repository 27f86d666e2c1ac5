import { execFileSync, spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bash } from '../../../scripts/generate/bash.ts';
import { fish } from '../../../scripts/generate/fish.ts';
import { modelOf } from '../../../scripts/generate/model.ts';
import { powershell } from '../../../scripts/generate/powershell.ts';
import { zsh } from '../../../scripts/generate/zsh.ts';
import { has } from '../../support/require.ts';
import { type Place, place, typed } from '../../support/shells.ts';
import { sampleGroups, sampleTree } from './sample.ts';

const model = await modelOf(sampleTree, sampleGroups);

const line = 'lanyard key si\t role --ke\t no\t -p "my\t --ty\t h\t';
const words = ['key', 'sign', 'role', '--key', 'notes.txt', '-p', 'my staging', '--type', 'host'];

const spaces = 'lanyard --profile=my\t key sh\t my\\ k\t';
const spacesWords = ['--profile=my staging', 'key', 'show', 'my key.pub'];

// util-linux's program; others of this name take other arguments.
const canType = process.platform === 'linux' && has('script');

describe.skipIf(!canType)('typing with TAB on a terminal, which needs the script program of Linux', () => {
  const places: Place[] = [];
  const ready = async (script: string, name: string): Promise<Place> => {
    const at = await place(script, name);
    places.push(at);
    return at;
  };
  afterAll(() => Promise.all(places.map((at) => at.remove())));

  test('bash completes words and quotes them', async () => {
    const at = await ready(bash(model), 'lanyard.bash');
    await typed('bash --norc --noprofile -i', `source ${at.script}`, [line, spaces], at);
    expect(await at.calls()).toEqual([words, spacesWords]);
  });

  test('bash completes values after = also where = does not end a word', async () => {
    const at = await ready(bash(model), 'lanyard.bash');
    const setup = `COMP_WORDBREAKS=\${COMP_WORDBREAKS//[=:@]/}; source ${at.script}`;
    const given = 'lanyard key sign --type=h\t --key=my\\ k\t --key="my k\t --key=@no\t --key=file://no\t';
    await typed('bash --norc --noprofile -i', setup, [given, spaces], at);
    expect(await at.calls()).toEqual([
      [
        'key',
        'sign',
        '--type=host',
        '--key=my key.pub',
        '--key=my key.pub',
        '--key=@notes.txt',
        '--key=file://notes.txt',
      ],
      spacesWords,
    ]);
  });

  test('bash completes files after =, @ and file://', async () => {
    const at = await ready(bash(model), 'lanyard.bash');
    const given = 'lanyard key sign --type=h\t --key=my\\ k\t --key="my k\t --key=@no\t --key=file://no\t';
    await typed('bash --norc --noprofile -i', `source ${at.script}`, [given], at);
    expect(await at.calls()).toEqual([
      [
        'key',
        'sign',
        '--type=host',
        '--key=my key.pub',
        '--key=my key.pub',
        '--key=@notes.txt',
        '--key=file://notes.txt',
      ],
    ]);
  });

  test.skipIf(!has('fish'))('fish, which must be installed, completes words and quotes them', async () => {
    const at = await ready(fish(model), 'lanyard.fish');
    await typed('fish --no-config -i', `source ${at.script}`, [line, spaces], at);
    expect(await at.calls()).toEqual([words, spacesWords]);
  });

  test.skipIf(!has('zsh'))('zsh, which must be installed, completes words and quotes them', async () => {
    const at = await ready(zsh(model), '_lanyard');
    const setup = `autoload -Uz compinit && compinit -u -D; source ${at.script}`;
    await typed('zsh -f -i', setup, [line, spaces], at);
    expect(await at.calls()).toEqual([words, spacesWords]);
  });

  test.skipIf(!has('zsh'))('zsh, which must be installed, finds the script in its fpath', async () => {
    const at = await ready(zsh(model), '_lanyard');
    const setup = `fpath=(${dirname(at.script)} $fpath); autoload -Uz compinit && compinit -u -D`;
    await typed('zsh -f -i', setup, [line, spaces], at);
    expect(await at.calls()).toEqual([words, spacesWords]);
  });
});

describe('what the scripts leave behind', () => {
  test('bash has functions of the name only, and no variables', async () => {
    const at = await place(bash(model), 'lanyard.bash');
    const listed = (after: string): string[] =>
      execFileSync('bash', ['--norc', '--noprofile', '-c', `${after}; compgen -v; compgen -A function; true`])
        .toString()
        .split('\n');
    const before = new Set(listed(':'));
    const added = listed(`source ${at.script}`).filter((name) => !before.has(name));
    expect(added.filter((name) => !name.startsWith('_lanyard'))).toEqual([]);
    await at.remove();
  });

  test.skipIf(!has('zsh'))('zsh, which must be installed, prints that it needs compinit', async () => {
    const at = await place(zsh(model), '_lanyard');
    const { stderr, stdout } = spawnSync('zsh', ['-f', '-c', `source ${at.script}`], { encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^lanyard: completion needs compinit/);
    await at.remove();
  });
});

// PowerShell is in no Debian archive, so even LANYARD_REQUIRE=all does not ask for it.
const pwsh = 'pwsh';
const hasPowershell = spawnSync(pwsh, ['-v']).status === 0;

describe('the script for PowerShell', () => {
  test('is ASCII, which every PowerShell reads alike', () => {
    expect(powershell(model)).toMatch(/^[\n -~]*$/);
  });

  test('doubles quotes in texts', () => {
    expect(powershell(model)).toContain("it''s `here` for $5, 100% \\'");
  });

  test.skipIf(!hasPowershell)('completes in PowerShell (skipped where pwsh is not installed)', async () => {
    const at = await place(powershell(model), 'lanyard.ps1');
    const offers = (text: string): string[] =>
      execFileSync(
        pwsh,
        [
          '-NoProfile',
          '-Command',
          `. '${at.script}'; (TabExpansion2 '${text}' ${text.length}).CompletionMatches.CompletionText`,
        ],
        { cwd: at.work, env: at.env, encoding: 'utf8' },
      )
        .split(/\r?\n/)
        .filter((word) => word !== '');
    expect(offers('lanyard ')).toEqual(['status', 'dev', 'key', 'profile', 'api', 'help']);
    expect(offers('lanyard -p prod key ')).toEqual(['sign', 'show']);
    expect(offers('lanyard key sign --type=h')).toEqual(['--type=host']);
    expect(offers('lanyard profile use my')).toEqual(["'my staging'"]);
    expect(offers('lanyard help key ')).toEqual(['sign', 'show']);
    await at.remove();
  });
});
