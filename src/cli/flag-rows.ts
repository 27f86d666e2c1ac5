import { type Flag, toKebabCase } from './command.ts';
import type { Row } from './help-text.ts';

/** `-p, --profile NAME` and its help; the long names are aligned whether or not there is a short one. */
export const flagRows = (
  flags: Readonly<Record<string, Pick<Flag<unknown>, 'short' | 'value' | 'help'>>>,
): Row[] =>
  Object.entries(flags).map(([key, { short, value, help }]) => [
    `${short ? `-${short}, ` : '    '}--${toKebabCase(key)}${value === undefined ? '' : ` ${value}`}`,
    help,
  ]);
