import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { everyCommand, type FlagModel, modelOf } from '../scripts/generate/model.ts';
import { nameOf, pathOf } from '../scripts/generate/notation.ts';
import { services } from '../src/api/services.ts';
import { guides } from '../src/cli/help/guides.ts';
import { manText } from '../src/cli/help/man-text.ts';
import { topics } from '../src/cli/help/topics.ts';
import { settingNames } from '../src/commands/profile/lib/settings.ts';
import { groups, tree } from '../src/commands/tree.ts';
import { kinds } from '../src/errors.ts';
import { withoutOverstrikes } from './support/overstrikes.ts';
import { has } from './support/require.ts';
import { root } from './support/sources.ts';

const model = await modelOf(tree, groups);
const files = readdirSync(`${root}/man`);
const sourceOf = (file: string): string => readFileSync(`${root}/man/${file}`, 'utf8');

/** A text of roff as it is read. */
const plain = (text: string): string =>
  text
    .replaceAll(/\\f[BIR]/g, '')
    .replaceAll('\\(aq', "'")
    .replaceAll('\\(ga', '`')
    .replaceAll('\\(dq', '"')
    .replaceAll('\\(ti', '~')
    .replaceAll('\\(ha', '^')
    .replaceAll('\\(rs', '\\')
    .replaceAll('\\-', '-')
    .replaceAll('\\&', '');

/** The part of a page below a heading, up to the next one. */
interface Part {
  readonly heading: string;
  readonly text: string;
  /** What `.TP` marks: arguments, flags, areas, variables. */
  readonly terms: readonly string[];
}

const partsOf = (file: string): Part[] =>
  sourceOf(file)
    .split(/^\.S[HS] /m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n');
      const terms = lines.filter((_line, index) => lines[index - 1]?.startsWith('.TP')).map(plain);
      return { heading: plain(heading), text: plain(lines.join('\n')), terms };
    });

const nameIn = (term: string): string | undefined => /^(?:-\w, )?--([a-z0-9-]+)/.exec(term)?.[1];
const flagTerms = (parts: readonly Part[]): string[] =>
  parts.flatMap(({ terms }) => terms).filter((term) => term.startsWith('-'));
const flagNames = (flags: readonly FlagModel[]): string[] => flags.map(({ name }) => name);

const areas = model.root.commands;

test('every area has a page; the only other pages are about the program and the configuration', () => {
  const pages = areas.map((area) => `lanyard-${nameOf(area)}.1`);
  expect(files.toSorted()).toEqual([...pages, 'lanyard.1', 'lanyard-config.5'].toSorted());
});

describe.each(areas.map((area) => [nameOf(area), area] as const))('lanyard-%s(1)', (name, area) => {
  const parts = partsOf(`lanyard-${name}.1`);
  const commands = everyCommand(area).filter(({ runs }) => runs);
  const isAlone = area.commands.length === 0;

  test('has every command once, in the order of the tree, and no other', () => {
    const headings = parts.map(({ heading }) => heading).filter((heading) => heading.startsWith('lanyard '));
    expect(headings).toEqual(isAlone ? [] : commands.map((command) => `lanyard ${pathOf(command)}`));
    const synopsis = parts.find(({ heading }) => heading === 'SYNOPSIS')?.text.split('\n') ?? [];
    for (const command of commands) {
      const isUsage = (line: string): boolean =>
        line.startsWith(`lanyard ${pathOf(command)} `) && line.endsWith(']') === !line.includes(' -- ');
      expect(synopsis.filter(isUsage).length, pathOf(command)).toBeGreaterThan(0);
    }
    expect(synopsis.filter((line) => line.startsWith('lanyard '))).toHaveLength(commands.length);
  });

  test('has every argument, flag and example of each command once', () => {
    for (const command of commands) {
      const own = isAlone ? parts : parts.filter(({ heading }) => heading === `lanyard ${pathOf(command)}`);
      expect(flagTerms(own).map(nameIn), pathOf(command)).toEqual(flagNames(command.flags));
      for (const arg of command.args)
        expect(
          own.flatMap(({ terms }) => terms).filter((term) => term === arg.name),
          pathOf(command),
        ).toHaveLength(1);
      const text = own.map((part) => part.text).join('\n');
      for (const flag of command.flags)
        for (const alias of flag.aliases) expect(text).toMatch(new RegExp(`\\(also [^)]*--${alias}\\b`));
      for (const example of command.examples)
        expect(
          text
            .replaceAll(' \\\n    ', ' ')
            .split('\n')
            .filter((line) => line === example),
        ).toHaveLength(1);
      for (const paragraph of command.description?.split('\n') ?? [])
        expect(text).toContain(`\n${paragraph}\n`);
    }
  });
});

describe('lanyard(1)', () => {
  const parts = partsOf('lanyard.1');
  const textOf = (name: string): string => parts.find(({ heading }) => heading === name)?.text ?? '';

  test('has every shared flag once', () => {
    const shared = [...model.root.flags, ...model.shared.flatMap(({ flags }) => flags)];
    expect(flagTerms(parts).map(nameIn).toSorted()).toEqual(flagNames(shared).toSorted());
  });

  test('refers to the page of every area, to every topic and to every guide', () => {
    const terms = parts.find(({ heading }) => heading === 'AREAS')?.terms;
    expect(terms).toEqual([
      ...areas.map((area) => `lanyard-${nameOf(area)}(1)`),
      ...Object.keys(topics),
      ...Object.keys(guides),
    ]);
  });

  test('has every exit code', () => {
    for (const { code, meaning } of Object.values(kinds))
      expect(textOf('EXIT STATUS')).toContain(`\n${code}\n${meaning}\n`);
  });
});

describe('lanyard-config(5)', () => {
  const parts = partsOf('lanyard-config.5');

  test('has every setting of a profile, with its field', () => {
    const terms = parts.find(({ heading }) => heading === 'SETTINGS')?.terms ?? [];
    expect(terms.map((term) => term.replace(/, .*\)$/, ''))).toEqual(
      Object.entries(settingNames).map(([name, field]) => `${name} (field ${field}`),
    );
  });

  test('has every variable of the products', () => {
    for (const { title, product } of Object.values(services)) {
      const text = parts.find(({ heading }) => heading === title)?.text ?? '';
      for (const variable of Object.values(product).flat()) expect(text).toContain(variable);
    }
  });
});

test('together with lanyard(1) it has every variable of "help environment"', () => {
  const variables = (text: string): Set<string> => new Set(text.match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g));
  const found = variables(`${plain(sourceOf('lanyard-config.5'))}${plain(sourceOf('lanyard.1'))}`);
  const expected = variables(topics.environment?.text(200) ?? '');
  expect([...expected].filter((variable) => !found.has(variable))).toEqual([]);
});

describe.each(files)('man/%s', (file) => {
  const path = `${root}/man/${file}`;
  const run = (program: string, args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      encoding: 'utf8',
      env: { ...process.env, MANWIDTH: '80', LC_ALL: 'C.UTF-8' },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout;
  };

  test.skipIf(!has('mandoc'))('has no warnings of mandoc', () => {
    expect(run('mandoc', ['-T', 'lint', '-W', 'warning', path])).toBe('');
  });

  test.skipIf(!has('man') || !has('groff'))('has no warnings of groff', () => {
    expect(run('man', ['--warnings=w', '-E', 'UTF-8', '-l', path])).not.toBe('');
  });

  test.skipIf(!has('lexgrog'))('has a name and a description for apropos', () => {
    const [name = ''] = file.split(/\.\d$/);
    const [, found, description] = /: "(\S+) - (.*)"\n$/.exec(run('lexgrog', [path])) ?? [];
    expect(found).toBe(name);
    expect(description).toMatch(/^[a-z].*[^.]$/);
  });

  test.skipIf(!has('mandoc'))('has the same words as plain text of its own', () => {
    const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
    const shown = withoutOverstrikes(run('mandoc', ['-T', 'utf8', '-O', 'width=90', path]));
    expect(wordsOf(manText(sourceOf(file), 90))).toEqual(wordsOf(shown));
  });

  test.each([40, 60, 80, 110])('is no wider than %i columns as plain text', (width) => {
    const tooWide = manText(sourceOf(file), width)
      .split('\n')
      .slice(1, -2)
      // Commands to paste and single long words are not broken.
      .filter(
        (line) => line.length > width && !line.startsWith(' '.repeat(11)) && /\S\s+\S/.test(line.trim()),
      );
    expect(tooWide).toEqual([]);
  });
});
