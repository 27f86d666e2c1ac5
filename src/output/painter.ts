import type { Style } from './document.ts';

/** Gives text the look of its tone. */
export type Paint = (text: string, style: Style) => string;

/** A painter in colour, or one that leaves text alone. Only the first loads chalk. */
export async function createPainter(color: boolean): Promise<Paint> {
  if (!color) return (text) => text;
  const { Chalk } = await import('chalk');
  // Whether there is colour was decided by the caller: chalk must not decide again by the environment.
  const chalk = new Chalk({ level: 1 });
  const styles: Record<Style, (text: string) => string> = {
    plain: (text) => text,
    strong: chalk.bold,
    dim: chalk.dim,
    good: chalk.green,
    warn: chalk.yellow,
    bad: chalk.red,
    code: chalk.cyan,
  };
  return (text, style) => (text === '' ? '' : styles[style](text));
}
