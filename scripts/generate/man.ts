import { readFileSync } from 'node:fs';
import { guides } from '../../src/cli/help/guides.ts';
import { programSummary } from '../../src/cli/help/help.ts';
import { topics } from '../../src/cli/help/topics.ts';
import { runningPrograms, sshCertificates } from './area-notes.ts';
import {
  argumentsOf,
  descriptionOf,
  exampleLines,
  examplesOf,
  flagItem,
  flagsIn,
  summaryOf,
  title,
  usage,
} from './man-command.ts';
import { configPage } from './man-config.ts';
import { type CommandModel, everyCommand, type FlagModel, type Model, type SetName } from './model.ts';
import { nameOf, pathOf } from './notation.ts';
import {
  bold,
  hangingLines,
  italic,
  item,
  type ManSection,
  manPage,
  paragraph,
  prose,
  reference,
  roff,
  rows,
} from './roff.ts';
import { type TopicBlock, textBlocks, topicBlocks } from './topic-blocks.ts';

/** The man pages by their path: of the program, of each area, and of the configuration. */
export function man(model: Model): Readonly<Record<string, string>> {
  const write = (page: Parameters<typeof manPage>[0]): [string, string] => [
    `man/${page.name}.${page.section}`,
    manPage(page, edition),
  ];
  return Object.fromEntries([
    write(programPage(model)),
    ...model.root.commands.map((area) => write(areaPage(area, model))),
    write(configPage(model)),
  ]);
}

/** The module with which the program imports the pages. */
export function manTable(model: Model): string {
  const entries = Object.keys(man(model)).map((path) => {
    const name = path.replace(/^man\/(.*)\.\d$/, '$1');
    return `  ${name.includes('-') ? `'${name}'` : name}: () => import('../../../${path}'),`;
  });
  return `// Written by "npm run generate"; do not edit.

/** The man pages: their source, by name. */
export const manPages: Readonly<Record<string, () => Promise<{ readonly default: string }>>> = {
${entries.join('\n')}
};
`;
}

/** package.json with the list of the pages, which `npm install --global` links. */
export function manPackage(model: Model): string {
  const manifest = JSON.parse(textOf('package.json')) as Record<string, unknown>;
  return `${JSON.stringify({ ...manifest, man: Object.keys(man(model)) }, undefined, 2)}\n`;
}

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The date of the pages until the version is released. */
const draftDate = '2026-11-22';

/** The version of the program and the date of its section in the changelog: a build does not change the pages. */
const edition = ((): { readonly version: string; readonly date: string } => {
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  const heading =
    textOf('CHANGELOG.md')
      .match(/^## .*$/gm)
      ?.find((line) => line.includes(version)) ?? '';
  return { version, date: /\d{4}-\d\d-\d\d/.exec(heading)?.[0] ?? draftDate };
})();

const startsSmall = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Commands whose first example is in the page of the program. */
const shown = ['quickstart', 'dev', 'status', 'ssh sign', 'kv put', 'profile put'];

function programPage(model: Model) {
  const areas = model.root.commands;
  const commands = everyCommand(model.root);
  return {
    name: 'lanyard',
    section: 1,
    summary: startsSmall(programSummary.replace(/\.$/, '')),
    sections: [
      [
        'SYNOPSIS',
        hangingLines([
          `${bold('lanyard')} ${italic('AREA')} [${italic('NOUN')}] ${italic('VERB')} [${italic('ARGUMENT')}...] [${italic('FLAGS')}]`,
          `${bold('lanyard help')} [${italic('COMMAND')}|${italic('TOPIC')}]`,
          `${bold('lanyard help --man')} [${italic('AREA')}]`,
          bold('lanyard --version'),
        ]),
      ],
      [
        'DESCRIPTION',
        [
          ...paragraph(
            `The same commands work on OpenBao, Vault, Consul, Nomad, Boundary and Vagrant\\-compatible registries, and on the five embedded services that ${bold('lanyard dev')} starts. A service needs an address and a token, from a profile or from environment variables; see ${reference('lanyard-config', 5)}.`,
          ),
          ...paragraph('Results are printed on standard output, notes and errors on standard error.'),
        ],
      ],
      [
        'AREAS',
        [
          ...areas.flatMap((area) => item(reference(`lanyard-${nameOf(area)}`), `${prose(area.summary)}.`)),
          ...paragraph(`${bold('lanyard help')} prints the help of a command, or one of these topics:`),
          ...rows(Object.entries(topics).map(([name, { summary }]) => [name, summary])),
          ...paragraph('It also prints these guides:'),
          ...rows(Object.entries(guides).map(([name, [title]]) => [name, title])),
        ],
      ],
      ['OPTIONS', sharedFlags(model)],
      ['OUTPUT FORMATS', topicBlocks('formats').flatMap(blockLines)],
      ['EXIT STATUS', topicBlocks('exit-codes').flatMap(blockLines)],
      [
        'ENVIRONMENT',
        [
          ...paragraph(
            `${reference('lanyard-config', 5)} has the variables with addresses, tokens and other settings of the services.`,
          ),
          ...topicBlocks('environment')
            .filter(({ title: heading }) => heading === 'Other variables')
            .flatMap(blockLines),
        ],
      ],
      [
        'FILES',
        [
          ...item(italic('~/.config/lanyard/config.json'), 'Profiles.'),
          ...item(italic('~/.config/lanyard/credentials.json'), 'Tokens, where there is no keyring.'),
          ...paragraph(`${reference('lanyard-config', 5)} describes both.`),
        ],
      ],
      [
        'EXAMPLES',
        shown.flatMap((path) => {
          const command = commands.find((each) => pathOf(each) === path);
          const [example] = command?.examples ?? [];
          if (!command || example === undefined) throw new Error(`"${path}" has no example`);
          return [...paragraph(`${prose(command.summary)}:`), ...exampleLines([example])];
        }),
      ],
      ['SEE ALSO', [`${reference('lanyard-config', 5)}, ${reference('ssh')}, ${reference('ssh-keygen')}`]],
    ],
  } as const;
}

const flagGroups: readonly (readonly [heading: string, sets: readonly SetName[]])[] = [
  ['All commands', ['every']],
  ['Commands that print a result', ['result', 'out']],
  ['Commands that call one service', ['service', 'namespace']],
  ['Commands that change something', ['writes']],
];

const setOf = (model: Model, set: SetName): readonly FlagModel[] =>
  model.shared.find(({ name }) => name === set)?.flags ?? [];

function sharedFlags(model: Model): string[] {
  const groups = flagGroups.flatMap(([heading, sets]) => [
    `.SS ${roff(heading)}`,
    ...sets.flatMap((set) => setOf(model, set).flatMap(flagItem)),
  ]);
  return [
    ...model.root.flags.flatMap(flagItem),
    ...paragraph(
      'The last one of a repeated flag wins. A flag that a command lists as its own replaces the shared one.',
    ),
    ...groups,
  ];
}

/** Notes that belong to an area, each with its heading in the page. */
const notes: Readonly<Record<string, readonly [heading: string, blocks: readonly TopicBlock[]]>> = {
  run: ['RUNNING PROGRAMS', textBlocks(runningPrograms)],
  ssh: ['CERTIFICATES', textBlocks(sshCertificates)],
  wait: ['WATCHING AND WAITING', topicBlocks('watching')],
};

function areaPage(area: CommandModel, model: Model) {
  const commands = everyCommand(area).filter(({ runs }) => runs);
  const isAlone = area.commands.length === 0;
  const note = notes[nameOf(area)];
  return {
    name: `lanyard-${nameOf(area)}`,
    section: 1,
    summary: startsSmall(area.summary),
    sections: [
      ['SYNOPSIS', hangingLines(commands.map(usage))],
      ...(isAlone ? commandSections(area, model) : groupSections(commands, model)),
      ...(note === undefined ? [] : [[note[0], note[1].flatMap(blockLines)] satisfies ManSection]),
      ['EXIT STATUS', [`0 on success. ${reference('lanyard')} lists the other exit codes.`]],
      ['SEE ALSO', [`${reference('lanyard')}, ${reference('lanyard-config', 5)}`]],
    ],
  } as const;
}

/** The page of an area that is a single command, such as `lanyard status`. */
function commandSections(command: CommandModel, model: Model): ManSection[] {
  const sections: ManSection[] = [
    ['DESCRIPTION', [...summaryOf(command), ...descriptionOf(command)]],
    ['ARGUMENTS', argumentsOf(command)],
    ['OPTIONS', flagsIn(command, model)],
    ['EXAMPLES', examplesOf(command)],
  ];
  return sections.filter(([, lines]) => lines.length > 0);
}

const groupSections = (commands: readonly CommandModel[], model: Model): ManSection[] => [
  [
    'COMMANDS',
    commands.flatMap((command) => [
      `.SS ${roff(title(command))}`,
      ...summaryOf(command).slice(1),
      ...descriptionOf(command),
      ...argumentsOf(command),
      ...flagsIn(command, model),
      ...(command.examples.length === 0 ? [] : [...paragraph('Examples:'), ...examplesOf(command)]),
    ]),
  ],
];

const blockLines = (block: TopicBlock): string[] => [
  ...rows(block.rows),
  ...block.paragraphs.flatMap((text) => paragraph(prose(text))),
];
