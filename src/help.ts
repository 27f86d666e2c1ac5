import { type Arg, type Completes, type FlagTable, kebab } from './command.ts';
import { groups, tree } from './commands/tree.ts';
import { globalFlags, serviceFlags, writeFlags } from './globals.ts';
import type { HelpPage, Row } from './layout.ts';
import { topics } from './topics.ts';

/** `-p, --profile NAME`, the long names aligned whether or not there is a short one. */
export const flagRows = (flags: FlagTable): Row[] =>
  Object.entries(flags).map(([key, { short, value, help }]) => [
    `${short ? `-${short}, ` : '    '}--${kebab(key)}${value === undefined ? '' : ` ${value}`}`,
    help,
  ]);

export const helpRow = (whole: boolean): Row => [
  '-h, --help',
  whole ? 'help for a command' : 'help for this command',
];

type Operand = Pick<Arg<unknown>, 'name' | 'required' | 'several'> & {
  readonly completes?: Completes | undefined;
};

/** `lanyard dev run [flags] -- COMMAND...`: flags after the "--" of a command line of its own would belong to that. */
export function usageOf(path: string, args: readonly Operand[]): string {
  const operands = args.map(({ name, required, several, completes }) => {
    const shown = `${completes === 'command' ? '-- ' : ''}${name}${several ? '...' : ''}`;
    return required ? shown : `[${shown}]`;
  });
  const hasOwnLine = args.some(({ completes }) => completes === 'command');
  return [path, ...(hasOwnLine ? ['[flags]', ...operands] : [...operands, '[flags]'])].join(' ');
}

/** Every flag that some command shares with others. */
export const everyGlobal: FlagTable = { ...globalFlags, ...serviceFlags, ...writeFlags };

/** What stands below a path of the tree, one level: name and summary. */
export function below(path: string): Row[] {
  const start = path === '' ? '' : `${path} `;
  const names = new Set(
    tree
      .filter((leaf) => leaf.path.startsWith(start))
      .map((leaf) => leaf.path.slice(start.length).split(' ', 1)[0] ?? ''),
  );
  return [...names].map((name) => [
    name,
    tree.find((leaf) => leaf.path === start + name)?.summary ?? groups[start + name] ?? '',
  ]);
}

/** What the whole is, in one sentence. */
export const about =
  'One command line for secrets and SSH certificates, service discovery, boxes, scheduler variables and accounts.';

/** The help of the whole. */
export const rootPage = (): HelpPage => ({
  path: 'lanyard',
  description: about,
  usage: 'lanyard <area> [noun] <verb> [arguments] [flags]',
  arguments: [],
  commands: below(''),
  flags: [],
  shared: [['-V, --version', 'print the version'], ...flagRows(globalFlags), helpRow(true)],
  sometimes: [
    ['Flags of commands that call a service', flagRows(serviceFlags)],
    ['Flags of commands that change something', flagRows(writeFlags)],
  ],
  examples: [],
  topics: Object.entries(topics).map(([name, { summary }]): Row => [`help ${name}`, summary]),
});
