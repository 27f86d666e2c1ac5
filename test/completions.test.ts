import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { generated } from '../scripts/generate/files.ts';
import { type CommandModel, everyCommand, flagsOf, modelOf, namesOf } from '../scripts/generate/model.ts';
import { flagNotation, nameOf, pathOf } from '../scripts/generate/notation.ts';
import { groups, tree } from '../src/commands/tree.ts';
import { has } from './support/require.ts';
import { bashOffers, fishOffers, type Offers, place, zshOffers } from './support/shells.ts';

const model = await modelOf(tree, groups);
const commands = everyCommand(model.root);

const committed = (path: string): Promise<string> => readFile(new URL(`../${path}`, import.meta.url), 'utf8');

describe('the generated files', () => {
  test.each(Object.entries(generated(model)))('%s is up to date', async (path, text) => {
    expect(await committed(path), `${path} is not what the commands say: run "npm run generate"`).toBe(text);
  });
});

const lineTo = (command: CommandModel): string => ['lanyard', ...command.words, ''].join(' ');

const commandNames = (command: CommandModel): string[] =>
  [...command.commands.map(nameOf), ...(command === model.root ? ['help'] : [])].sort();

const shells: readonly (readonly [name: string, file: string, offers: Offers])[] = [
  ['bash', 'lanyard.bash', bashOffers],
  ['fish', 'lanyard.fish', fishOffers],
  ['zsh', 'lanyard.zsh', zshOffers],
];

for (const [shell, file, offers] of shells) {
  describe.skipIf(!has(shell))(`completion in ${shell}, which must be installed`, () => {
    test('offers every command and every flag', async () => {
      const at = await place(await committed(`completions/${file}`), shell === 'zsh' ? '_lanyard' : file);
      const above = commands.filter((command) => command.commands.length > 0);
      const offered = await offers(at, [
        ...above.map(lineTo),
        ...commands.map((command) => `${lineTo(command)}-`),
      ]);
      await at.remove();
      const expected = [
        ...above.map((command) => [command, commandNames(command)] as const),
        ...commands.map((command) => [command, flagsOf(command, model).flatMap(namesOf).sort()] as const),
      ];
      for (const [index, [command, names]] of expected.entries())
        expect(offered[index], lineTo(command)).toEqual(names);
    });
  });
}

describe('the script for PowerShell', () => {
  test('has every command and every flag', async () => {
    const script = await committed('completions/lanyard.ps1');
    for (const command of commands) {
      const start = script.indexOf(`            '${pathOf(command)}' {\n`);
      expect(start, lineTo(command)).toBeGreaterThan(0);
      const place = script.slice(start, script.indexOf('\n            }\n', start));
      for (const name of commandNames(command)) expect(place).toContain(`'${name} `);
      for (const flag of command.flags) expect(place).toContain(`'${flagNotation(flag)} `);
      for (const set of command.shared) expect(place).toContain(`$${set}`);
    }
  });
});

describe('the reference', () => {
  test('has a section for every command, and a line for each of its arguments and flags', async () => {
    const text = await committed('docs/commands.md');
    for (const command of commands.filter(({ runs }) => runs)) {
      const section =
        text.split(/^#+ lanyard /m).find((part) => part.startsWith(`${pathOf(command)}\n`)) ?? '';
      for (const { name } of command.args)
        expect(section, pathOf(command)).toContain(`| \`${name.replaceAll('|', '\\|')}\` |`);
      for (const { name } of command.flags)
        expect(section, pathOf(command)).toMatch(new RegExp(`--${name}[\` ]`));
      for (const example of command.examples) expect(section).toContain(`\n${example}\n`);
    }
  });

  test('links to headings that are there', async () => {
    const text = await committed('docs/commands.md');
    const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    for (const [, target] of text.matchAll(/\]\(#([^)]*)\)/g)) expect(anchors).toContain(target);
  });
});
