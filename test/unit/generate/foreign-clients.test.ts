import { expect, test } from 'vitest';
import { foreignSuites } from '../../conformance/foreign-suites.ts';
import { productCommands } from '../../conformance/product-commands.ts';

test('every case of a suite of another client passes or is excluded with a reason', () => {
  for (const { package: name, cases, passed, exclusions } of foreignSuites) {
    const excluded = exclusions.flatMap((each) => each.cases);
    expect([name, passed + excluded.length, new Set(excluded).size]).toEqual([name, cases, excluded.length]);
    expect(exclusions.filter(({ reason }) => !/^[A-Z].*[:.]$/.test(reason))).toEqual([]);
  }
});

test('every other exit code of a command line of a product has a note', () => {
  for (const { program, lines } of productCommands) {
    const commands = lines.map(([command]) => command);
    expect(commands.filter((command) => !command.includes(program))).toEqual([]);
    const unexplained = lines.filter(([, , embedded, note]) => embedded !== undefined && note === '');
    expect(unexplained).toEqual([]);
  }
});
