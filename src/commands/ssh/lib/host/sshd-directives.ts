import type { Context } from '../../../../command/context.ts';

/** A line of the configuration of sshd, or of a file that it includes. */
export interface Directive {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** In lower case. */
  readonly name: string;
  readonly value: string;
  /** It is in a Match block, and applies to some logins only. */
  readonly isConditional: boolean;
}

/** sshd includes files to this depth. */
const maxDepth = 16;

/** The directives of sshd, in the order in which it reads them. Files that cannot be read are left out. */
export async function readDirectives(
  config: string,
  { files }: Pick<Context, 'files'>,
  depth = 0,
): Promise<readonly Directive[]> {
  if (depth > maxDepth || !(await files.isFile(config))) return [];
  const text = await files.readText(config, 'the configuration of sshd').catch(() => '');
  const found: Directive[] = [];
  let isConditional = false;
  for (const directive of directivesIn(text, config)) {
    if (directive.name === 'match') isConditional = directive.value.toLowerCase() !== 'all';
    found.push({ ...directive, isConditional });
    if (directive.name !== 'include') continue;
    for (const pattern of includePatterns(directive.value))
      for (const file of await matchingFiles(pattern, files)) {
        const included = await readDirectives(file, { files }, depth + 1);
        found.push(
          ...included.map((each) => ({ ...each, isConditional: isConditional || each.isConditional })),
        );
      }
  }
  return found;
}

function directivesIn(text: string, file: string): Omit<Directive, 'isConditional'>[] {
  return text.split('\n').flatMap((content, index) => {
    const [, name, value = ''] = /^\s*([A-Za-z0-9]+)(?:\s*=\s*|\s+)(.*?)\s*$/.exec(content) ?? [];
    return name === undefined
      ? []
      : [
          {
            file,
            line: index + 1,
            name: name.toLowerCase(),
            value: value.replace(/\s+#.*$/, '').replace(/^"(.*)"$/, '$1'),
          },
        ];
  });
}

/** The patterns of an Include line; relative ones start in /etc/ssh. */
export const includePatterns = (value: string): readonly string[] =>
  [...value.matchAll(/"([^"]*)"|(\S+)/g)]
    .map(([, quoted, plain]) => quoted ?? plain ?? '')
    .map((pattern) => (pattern.startsWith('/') ? pattern : `/etc/ssh/${pattern}`));

async function matchingFiles(pattern: string, files: Context['files']): Promise<readonly string[]> {
  const { directory, name } = splitPath(pattern);
  if (!/[*?[]/.test(name)) return [pattern];
  if (!(await files.isDirectory(directory))) return [];
  const names = (await files.listDirectory(directory)) ?? [];
  return names.filter((each) => matchesPattern(name, each)).map((each) => `${directory}/${each}`);
}

export function splitPath(path: string): { readonly directory: string; readonly name: string } {
  const at = path.lastIndexOf('/');
  return { directory: path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) };
}

/** Whether a file name matches a pattern of glob(7). */
export function matchesPattern(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  const source = pattern.replaceAll(/[*?]|\[!?[^\]]*\]|[\\^$.|+(){}]/g, (part) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    return part.startsWith('[') ? part.replace(/^\[!/, '[^') : `\\${part}`;
  });
  return new RegExp(`^${source}$`, 's').test(name);
}

const begin = '# BEGIN lanyard ssh host';
const end = '# END lanyard ssh host';

/** A configuration with a block of lines at the top, where it comes first and is in no Match block. */
export const withBlock = (text: string, lines: string): string =>
  `${begin}\n${lines}${end}\n${withoutBlock(text)}`;

/** The configuration without the block; every other byte is unchanged. */
export function withoutBlock(text: string): string {
  const from = `\n${text}`.indexOf(`\n${begin}\n`);
  const to = text.indexOf(`\n${end}\n`, from);
  return from < 0 || to < 0 ? text : text.slice(0, from) + text.slice(to + end.length + 2);
}

export const hasBlock = (text: string): boolean => withoutBlock(text) !== text;
