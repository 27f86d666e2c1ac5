import type { Style } from './document.ts';

export type Paint = (text: string, style: Style) => string;

/** A painter with color (which loads chalk), or one that returns text unchanged. */
export async function createPainter(color: boolean): Promise<Paint> {
  if (!color) return (text) => text;
  const { Chalk } = await import('chalk');
  // The caller has decided about color: chalk must not decide again by the environment.
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
