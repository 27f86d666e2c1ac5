import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const room = new URL('../../../src/output/', import.meta.url);

/** The packages that a fresh process loads when it renders with these options. */
function loaded(options: object): string[] {
  const script = `
    import { registerHooks } from 'node:module';
    const packages = [];
    registerHooks({
      resolve(specifier, context, next) {
        if (!/^(node:|file:|[./])/.test(specifier) && context.parentURL?.startsWith(${JSON.stringify(room.href)})) {
          packages.push(specifier);
        }
        return next(specifier, context);
      },
    });
    const { render } = await import(${JSON.stringify(new URL('render.ts', room).href)});
    const document = [
      { kind: 'text', content: ['words ', { text: 'strong', style: 'strong' }] },
      { kind: 'table', columns: [{ title: 'a' }], rows: [['日本']] },
    ];
    await render({ data: { a: 1 }, document }, ${JSON.stringify(options)});
    console.log(JSON.stringify(packages));
  `;
  const written = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: fileURLToPath(room),
    encoding: 'utf8',
  });
  return JSON.parse(written) as string[];
}

const usual = { format: 'text', terminal: true, color: false, width: 80 };

test.each([
  usual,
  { ...usual, terminal: false },
  { ...usual, format: 'json' },
  { ...usual, format: 'jsonl' },
  { ...usual, format: 'env' },
  { ...usual, field: 'a' },
])('%j loads no library', (options) => {
  expect(loaded(options)).toEqual([]);
});

test.each([
  [{ ...usual, color: true }, ['chalk']],
  [{ ...usual, format: 'yaml' }, ['yaml']],
  [{ ...usual, format: 'table' }, ['cli-table3']],
  [{ ...usual, format: 'json', select: 'a' }, ['@jmespath-community/jmespath']],
])('%j loads only what it needs', (options, packages) => {
  expect([...new Set(loaded(options))]).toEqual(packages);
});
