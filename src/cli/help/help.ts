import type { AnyCommand, Arg, FlagTable } from '../../command/command.ts';
import type { Completes } from '../../command/completes.ts';
import { groups, neighbors, tree } from '../../commands/tree.ts';
import { globalFlags, serviceFlags, writeFlags } from '../parse/globals.ts';
import type { Row } from './help-text.ts';

type Operand = Pick<Arg<unknown>, 'name' | 'required' | 'repeatable'> & {
  readonly completes?: Completes | undefined;
};

/** `lanyard dev run [flags] -- COMMAND...`: flags after "--" would belong to the child command. */
export function usageLine(path: string, args: readonly Operand[]): string {
  const operands = args.map(({ name, required, repeatable, completes }) => {
    const shown = `${completes === 'command' ? '-- ' : ''}${name}${repeatable ? '...' : ''}`;
    return required ? shown : `[${shown}]`;
  });
  const runsChild = args.some(({ completes }) => completes === 'command');
  return [path, ...(runsChild ? ['[flags]', ...operands] : [...operands, '[flags]'])].join(' ');
}

export const allSharedFlags: FlagTable = { ...globalFlags, ...serviceFlags, ...writeFlags };

/** The children of a path of the tree, one level: name and summary. */
export function childrenOf(path: string): Row[] {
  const prefix = path === '' ? '' : `${path} `;
  const names = new Set(
    tree
      .filter((entry) => entry.path.startsWith(prefix))
      .map((entry) => entry.path.slice(prefix.length).split(' ', 1)[0] ?? ''),
  );
  return [...names].map((name) => [
    name,
    tree.find((entry) => entry.path === prefix + name)?.summary ?? groups[prefix + name] ?? '',
  ]);
}

/** Adds the other areas of its service to the description of an area. */
export const describeArea = (path: string, description: string): string =>
  Object.hasOwn(neighbors, path) ? `${description} ${neighbors[path]}` : description;

export const programSummary = 'One command line for secrets, SSH, services, boxes, variables and accounts.';

const sharedHelp = '(see "lanyard help flags")';

/** The line in the help of a command with the groups of shared flags that it accepts. */
export function sharedFlagsLine({ service, writes, hasNoResult }: AnyCommand): string {
  const names = [
    'common',
    ...(hasNoResult ? [] : ['output']),
    ...(service ? ['service'] : []),
    ...(writes ? ['write'] : []),
  ];
  return `Shared flags: ${names.join(', ')} ${sharedHelp}`;
}
