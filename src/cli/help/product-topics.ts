import { twoColumns } from './help-text.ts';
import { productCommands } from './product-commands.ts';
import { wrapText } from './wrap.ts';

type Product = keyof typeof productCommands;

const programs: Readonly<Record<Product, string>> = {
  vault: 'vault and bao',
  consul: 'consul',
  nomad: 'nomad',
  boundary: 'boundary',
  vagrant: 'vagrant',
};

/** The commands of a product's program and those for them, in two columns. @param width cells in a line. */
const commandTable =
  (product: Product) =>
  (width: number): string =>
    `${wrapText(`Equivalents of ${programs[product]} commands`, width)}

${twoColumns(
  productCommands[product].map(({ theirs, ours }) => [theirs, ours === undefined ? 'not available' : ours]),
  width,
).join('\n')}

${wrapText(
  `Addresses, namespaces, TLS settings and tokens of the product are read from its variables; see "lanyard help environment". "lanyard profile import" makes a profile from them. "lanyard help from-${product}" is a guide with examples.`,
  width,
)}
`;

/** One help topic for each product. */
export const productTopics = Object.fromEntries(
  Object.entries(programs).map(([name, program]) => [
    name,
    { summary: `Equivalents of ${program} commands`, text: commandTable(name as Product) },
  ]),
);
