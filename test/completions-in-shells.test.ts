import { describe, expect, test } from 'vitest';
import { type CommandModel, everyCommand, flagsOf, modelOf, namesOf } from '../scripts/generate/model.ts';
import { nameOf } from '../scripts/generate/notation.ts';
import { groups, tree } from '../src/commands/tree.ts';
import { committed } from './support/committed.ts';
import { has } from './support/require.ts';
import { bashOffers, fishOffers, type Offers, place, zshOffers } from './support/shells.ts';

const model = await modelOf(tree, groups);
const commands = everyCommand(model.root);

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
