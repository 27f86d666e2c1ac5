import type { Host } from '../command/host.ts';
import { scripts } from '../commands/completion/lib/scripts.ts';
import { shouldUseColor } from '../io/color.ts';
import { terminalWidth } from '../io/stdout.ts';
import { helpText, maxHelpWidth, minHelpWidth } from './help/help-text.ts';
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
    const { root, rootTextAt80 } = await import('./help/root-page.ts');
    const width = terminalWidth(host.stdout, minHelpWidth);
    return width === 80 ? rootTextAt80 : helpText(root, width);
  }
  if (first === '__complete') return (await import('./completion/complete.ts')).complete(argv.slice(1), host);
  if (first === '__update-check') {
    await (await import('./update-check.ts')).checkForUpdate(host);
    return '';
  }
  if (first === 'ssh' && argv.includes('--if-needed')) {
    const { isUpToDate: needsNothing } = await import('./if-needed.ts');
    return needsNothing(argv, host) ? '' : undefined;
  }
  if (first === 'help' && argv.includes('--man'))
    return (await import('./help/man-page.ts')).manPage(argv.slice(1), host);
  if (first === 'help') return helpPage(argv.slice(1), host);
  if (argv.length === 2 && first === 'completion' && Object.hasOwn(scripts, second)) {
    const { default: script } = await scripts[second as keyof typeof scripts]();
    return script;
  }
  return undefined;
}

/** A help topic or a guide. A guide may also follow the topic that lists them: `help guides ci-jobs`. */
async function helpPage(words: readonly string[], host: Host): Promise<string | undefined> {
  const asked = words.filter((word) => word !== '--no-color');
  const isGuide = asked.length === 2 && asked[0] === 'guides';
  const [name = ''] = isGuide ? asked.slice(1) : asked;
  if (asked.length > (isGuide ? 2 : 1)) return undefined;
  const width = Math.min(terminalWidth(host.stdout, minHelpWidth), maxHelpWidth);
  const topic = (await import('./help/topics.ts')).topicNamed(name);
  if (topic !== undefined && !isGuide) return topic.text(width);
  const color = shouldUseColor(host.stdout, host.env, asked.length < words.length);
  return (await import('./help/guide-text.ts')).guideText(name, { width, color });
}
