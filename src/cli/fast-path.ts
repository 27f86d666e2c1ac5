import { scripts } from '../commands/completion/lib/scripts.ts';
import { terminalWidth } from '../io/stdout.ts';
import type { Host } from './context.ts';
import { helpText, maxHelpWidth, minHelpWidth } from './help-text.ts';
import { version } from './version.ts';

/**
 * Handles the command lines that shells and scripts run at start-up without loading the parser and the command tree:
 * the version, the help of the program, a help topic, a man page, a completion script; and whether a certificate is fresh, which
 * ssh checks before every login. The completion scripts ask for candidates (`__complete`), which never fails.
 *
 * @returns the text, or undefined for every other command line.
 * @throws LanyardError usage: a man page that does not exist.
 */
export async function fastPath(argv: readonly string[], host: Host): Promise<string | undefined> {
  const [first, second = ''] = argv;
  if (argv.length === 1 && ['--version', '-V', 'version'].includes(first ?? '')) return `${version}\n`;
  if (argv.length === 1 && (first === '--help' || first === '-h' || first === 'help')) {
    const { root, rootTextAt80 } = await import('./root-page.ts');
    const width = terminalWidth(host.stdout, minHelpWidth);
    return width === 80 ? rootTextAt80 : helpText(root, width);
  }
  if (first === '__complete') return (await import('./completion/complete.ts')).complete(argv.slice(1), host);
  if (first === 'ssh' && argv.includes('--if-needed')) {
    const { isUpToDate: needsNothing } = await import('./if-needed.ts');
    return needsNothing(argv, host) ? '' : undefined;
  }
  if (first === 'help' && argv.includes('--man'))
    return (await import('./man-page.ts')).manPage(argv.slice(1), host);
  if (argv.length !== 2) return undefined;
  if (first === 'completion' && Object.hasOwn(scripts, second)) {
    const { default: script } = await scripts[second as keyof typeof scripts]();
    return script;
  }
  if (first !== 'help') return undefined;
  const { topicNamed } = await import('./topics.ts');
  return topicNamed(second)?.text(Math.min(terminalWidth(host.stdout, minHelpWidth), maxHelpWidth));
}
