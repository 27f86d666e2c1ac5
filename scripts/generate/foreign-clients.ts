import { type ForeignSuite, foreignSuites } from '../../test/conformance/foreign-suites.ts';
import type { Line, ProductCommands } from '../../test/conformance/product-commands/command.ts';
import { productCommands } from '../../test/conformance/product-commands.ts';

/** What other clients do on the embedded services: the last sections of `docs/compatibility.md`. */
export function foreignClients(): string {
  return [suites(), programs()].filter((text) => text !== '').join('\n');
}

function suites(): string {
  if (foreignSuites.length === 0) return '';
  return `## Test suites of other clients

These suites were run from the source of their packages against the embedded services. Every case passes or is listed below with the reason.

| Package | Version | Tests | Passed | Excluded |
| --- | --- | --- | --- | --- |
${foreignSuites.map(suiteRow).join('\n')}

${foreignSuites.map(exclusions).join('').trimEnd()}
`;
}

const suiteRow = ({ package: name, version, scope, cases, passed }: ForeignSuite): string =>
  `| \`${name}\` | ${version} | ${scope} | ${passed} of ${cases} | ${cases - passed} |`;

function exclusions({ package: name, exclusions: all }: ForeignSuite): string {
  if (all.length === 0) return '';
  const list = all.map(({ cases, reason }) => `- ${reason} ${cases.map((each) => `\`${each}\``).join(', ')}`);
  return `Excluded of \`${name}\`:\n\n${list.join('\n')}\n\n`;
}

function programs(): string {
  const all = productCommands.filter(({ lines }) => lines.length > 0);
  if (all.length === 0) return '';
  return `## Command lines of the products

The products' own programs, run on the product and on \`lanyard dev\`, with their exit codes.

| Program | Version | Command lines | Same exit code |
| --- | --- | --- | --- |
${all.map(programRow).join('\n')}

${all.map(programTable).join('\n')}`;
}

const hasSameCode = ([, code, embedded]: Line): boolean =>
  embedded === undefined || embedded === 'same' || embedded === code;

const programRow = ({ program, version, lines }: ProductCommands): string =>
  `| [\`${program}\`](#command-lines-of-${program}) | ${version} | ${lines.length} | ${lines.filter(hasSameCode).length} |`;

const programTable = ({ program, version, lines }: ProductCommands): string =>
  `### Command lines of ${program}

| Command line | ${program} ${version} | Embedded | Note |
| --- | --- | --- | --- |
${lines.map(commandRow).join('\n')}
`;

function commandRow(line: Line): string {
  const [command, code, embedded, note] = line;
  const here = embedded === undefined || embedded === 'same' ? code : embedded;
  return `| \`${command.replaceAll('|', '\\|')}\` | ${code} | ${here} | ${note ?? ''} |`;
}
