import type { AnyCommand, Arg, Completes, FlagTable } from './command.ts';
import { groups, tree } from './commands/tree.ts';
import { flagRows } from './flag-rows.ts';
import { globalFlags, serviceFlags, writeFlags } from './globals.ts';
import type { HelpPage, Row } from './layout.ts';
import { topics } from './topics.ts';

type Operand = Pick<Arg<unknown>, 'name' | 'required' | 'several'> & {
  readonly completes?: Completes | undefined;
};

/** `lanyard dev run [flags] -- COMMAND...`: flags after "--" would belong to the child command. */
export function usageOf(path: string, args: readonly Operand[]): string {
  const operands = args.map(({ name, required, several, completes }) => {
    const shown = `${completes === 'command' ? '-- ' : ''}${name}${several ? '...' : ''}`;
    return required ? shown : `[${shown}]`;
  });
  const hasOwnLine = args.some(({ completes }) => completes === 'command');
  return [path, ...(hasOwnLine ? ['[flags]', ...operands] : [...operands, '[flags]'])].join(' ');
}

/** All shared flags. */
export const everyGlobal: FlagTable = { ...globalFlags, ...serviceFlags, ...writeFlags };

/** The children of a path of the tree, one level: name and summary. */
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

/** What the program is, in one sentence. */
export const about =
  'One command line for secrets and SSH certificates, service discovery, boxes, scheduler variables and accounts.';

const sharedHelp = '(see "lanyard help flags")';

/** The one line in the help of a command that names the groups of shared flags it accepts. */
export function sharedLine({ service, writes, passesThrough }: AnyCommand): string {
  const names = [
    'common',
    ...(passesThrough ? [] : ['output']),
    ...(service ? ['service'] : []),
    ...(writes ? ['write'] : []),
  ];
  return `Shared flags: ${names.join(', ')} ${sharedHelp}`;
}

/** The help of the program. */
export const rootPage = (): HelpPage => ({
  path: 'lanyard',
  description: about,
  usage: 'lanyard <area> [noun] <verb> [arguments] [flags]',
  arguments: [],
  commands: below(''),
  flags: flagRows({
    version: { short: 'V', help: 'print the version' },
    help: { short: 'h', help: 'show help' },
  }),
  shared: `Shared flags: common, output, service, write ${sharedHelp}`,
  examples: [],
  topics: Object.entries(topics).map(([name, { summary }]): Row => [`help ${name}`, summary]),
});
