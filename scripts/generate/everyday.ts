import { type EverydayLines, everydayLines } from '../../test/support/everyday.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string => `\`${cell(text)}\``;
const table = (head: readonly [string, string], rows: readonly (readonly [string, string])[]): string =>
  [head, ['---', '---'], ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const share = (lines: EverydayLines['lines']): string =>
  `${lines.filter(({ ours }) => ours !== undefined).length} of ${lines.length}`;

function section({ program, source, leftOut, lines }: EverydayLines): string {
  const rows = lines.map(
    ({ theirs, ours, reason }) =>
      [code(theirs), ours === undefined ? reason : code(`lanyard ${ours}`)] as const,
  );
  return [
    `## ${program}`,
    `${source} ${share(lines)} lines have a command here.`,
    table(['Line', 'Here'], rows),
    ...(leftOut.length === 0
      ? []
      : ['Left out:', leftOut.map(([commands, reason]) => `- ${commands}: ${reason}.`).join('\n')]),
  ].join('\n\n');
}

/** `docs/everyday-commands.md`: each line of `test/everyday`, and the command for it. */
export const everyday = (): string => `<!-- Written by "npm run generate" from test/everyday; do not edit. -->

# Everyday commands

The lines of the products' documentation, and the same here: ${share(everydayLines.flatMap(({ lines }) => lines))}. A test checks each command, its flags and arguments. \`lanyard help vault\` and the others have a short form, [compatibility](compatibility.md#commands-of-other-programs) what differs.

${everydayLines.map(section).join('\n\n')}
`;
