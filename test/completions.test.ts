import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generatedFiles } from '../scripts/generate/cache.ts';
import { type CommandModel, everyCommand, modelOf } from '../scripts/generate/model.ts';
import { flagNotation, nameOf, pathOf } from '../scripts/generate/notation.ts';
import { groups, tree } from '../src/commands/tree.ts';
import { committed } from './support/committed.ts';
import { anchors, withoutBlocks } from './support/documents.ts';

const model = await modelOf(tree, groups);
const commands = everyCommand(model.root);
const generated = await generatedFiles();

describe('the generated files', () => {
  test.each(['docs/commands', 'docs/library', 'man'])('%s has no other file', async (folder) => {
    const files = Object.keys({ ...generated.committed, ...generated.built });
    const expected = files.filter((path) => path.startsWith(`${folder}/`));
    const found = await readdir(new URL(`../${folder}`, import.meta.url));
    expect(found.map((name) => `${folder}/${name}`).sort()).toEqual(expected.sort());
  });

  test.each(Object.entries(generated.committed))('%s is up to date', async (path, text) => {
    expect(await committed(path), `${path} is not what the commands say: run "npm run generate"`).toBe(text);
  });
});

const lineTo = (command: CommandModel): string => ['lanyard', ...command.words, ''].join(' ');

const commandNames = (command: CommandModel): string[] =>
  [...command.commands.map(nameOf), ...(command === model.root ? ['help'] : [])].sort();

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
  const areas = model.root.commands;

  test('has a section for every command, and a line for each of its arguments and flags', async () => {
    for (const area of areas) {
      const page = await committed(`docs/commands/${pathOf(area)}.md`);
      const sections = page.split(/^#+ lanyard /m);
      for (const command of everyCommand(area).filter(({ runs }) => runs)) {
        const own = sections.filter((part) => part.startsWith(`${pathOf(command)}\n`));
        expect(own, pathOf(command)).toHaveLength(1);
        const [section = ''] = own;
        for (const { name } of command.args)
          expect(section, pathOf(command)).toContain(`| \`${name.replaceAll('|', '\\|')}\` |`);
        for (const { name } of command.flags)
          expect(section, pathOf(command)).toMatch(new RegExp(`--${name}[\` ]`));
        for (const example of command.examples) expect(section).toContain(`\n${example}\n`);
      }
    }
  });

  test('has an index with every area and every command', async () => {
    const index = await committed('docs/commands.md');
    for (const area of areas) {
      const page = `commands/${pathOf(area)}.md`;
      if (area.summary.includes('(alias of ')) {
        expect(index).not.toContain(page);
        continue;
      }
      expect(index).toContain(`| [${pathOf(area)}](${page}) |`);
      if (area.commands.length === 0) continue;
      for (const command of everyCommand(area).filter(({ runs }) => runs))
        expect(index).toContain(
          `- [lanyard ${pathOf(command)}](${page}#lanyard-${command.words.join('-')}): `,
        );
    }
  });

  test('links to headings that exist', async () => {
    const paths = ['commands.md', ...areas.map((area) => `commands/${pathOf(area)}.md`)];
    const texts = new Map<string, string>();
    for (const path of paths) texts.set(path, await committed(`docs/${path}`));
    for (const [path, text] of texts) {
      for (const [, file = '', anchor] of text.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)) {
        const target = texts.get(file === '' ? path : posix.join(posix.dirname(path), file));
        expect(target, `${path}: ${file}`).toBeDefined();
        if (anchor !== undefined) expect(anchors(target ?? ''), `${path}: ${file}`).toContain(anchor);
      }
    }
  });

  test('has nothing that a site generator would read as a template or an element', async () => {
    for (const path of Object.keys(generated.committed).filter((path) => path.startsWith('docs/commands'))) {
      const outside = withoutBlocks(await committed(path))
        .replace(/^<!--.*-->$/m, '')
        .replaceAll(/`[^`\n]*`/g, '');
      expect(outside, path).not.toMatch(/\{\{|(?<!\\)</);
    }
  });
});
