import type { Home } from '../support/run.ts';

/** A command line of an example, as a shell reads it. */
export interface ShellLine {
  readonly env: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  readonly stdin: string | undefined;
  /** The file that standard output goes to. */
  readonly out: string | undefined;
  readonly appends: boolean;
}

const word = /(?:'[^']*'|"[^"]*"|\\.|[^\s'"|<>\\])+|\||<|>>|>/g;

/**
 * Reads what examples use of the shell: quotes, variables, `~`, assignments, redirections, `echo TEXT |` before the
 * command. What the output is piped to is left out. Files outside the home directory are taken as files in it.
 *
 * @throws Error it is not a line of Lanyard
 */
export function parseShellLine(line: string, at: Home): ShellLine {
  const variables = { ...at.env, HOME: at.path };
  const plain = (text: string): string =>
    text
      .replace(/^~(?=\/)/, at.path)
      .replace(
        /'([^']*)'|"([^"]*)"|\\(.)/g,
        (_all, single, double, escaped) =>
          single ??
          escaped ??
          double.replace(
            /\$([A-Z_]+)/g,
            (_name: string, name: string) => variables[name as keyof typeof variables] ?? '',
          ),
      )
      .replace(/(^|[@=])\/(?=(?:etc|var)\/)/, `$1${at.path}/`);
  const tokens: readonly string[] = line.match(word) ?? [];
  let stdin: string | undefined;
  let commands = tokens;
  if (tokens[0] === 'echo') {
    stdin = `${plain(tokens[1] ?? '')}\n`;
    commands = tokens.slice(tokens.indexOf('|') + 1);
  }
  const end = commands.indexOf('|');
  const own = end < 0 ? commands : commands.slice(0, end);
  const env: Record<string, string> = {};
  const argv: string[] = [];
  let out: string | undefined;
  let appends = false;
  for (let index = 0; index < own.length; index++) {
    const token = own[index] ?? '';
    const assignment = /^([A-Z_]+)=(.*)$/s.exec(token);
    if (token === '<') stdin = at.read(relative(plain(own[++index] ?? ''), at.path));
    else if (token === '>' || token === '>>') {
      appends = token === '>>';
      out = relative(plain(own[++index] ?? ''), at.path);
    } else if (assignment && argv.length === 0) env[assignment[1] ?? ''] = plain(assignment[2] ?? '');
    else argv.push(plain(token));
  }
  if (argv.shift() !== 'lanyard') throw new Error(`not a command line of Lanyard: ${line}`);
  return { env, argv, stdin, out, appends };
}

const relative = (path: string, folder = ''): string =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
