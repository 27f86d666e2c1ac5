import { productCommands } from '../../src/cli/help/product-commands.ts';

const programs: Readonly<Record<keyof typeof productCommands, string>> = {
  vault: 'vault and bao',
  consul: 'consul',
  nomad: 'nomad',
  boundary: 'boundary',
  vagrant: 'vagrant',
};

const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string => `\`${cell(text)}\``;

/** The section on the commands of the products' programs and those for them here. */
export function productCommandTables(): string {
  const tables = Object.entries(productCommands).map(([name, rows]) => {
    const lines = rows.map((row) => {
      const { theirs, ours, note = '' }: { theirs: string; ours: string | undefined; note?: string } = row;
      return `| ${code(theirs)} | ${ours === undefined ? 'not available' : code(ours)} | ${cell(note)} |`;
    });
    return `### Commands of ${programs[name as keyof typeof programs]}

| Command | Here | What differs |
| --- | --- | --- |
${lines.join('\n')}
`;
  });
  return `## Commands of other programs

The same tables without the last column: \`lanyard help vault\`, \`consul\`, \`nomad\`, \`boundary\`, \`vagrant\`.

${tables.join('\n')}`;
}
