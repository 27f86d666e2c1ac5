import { describe, expect, test } from 'vitest';
import { embeddedForAll, expectExit, expectFailure } from '../../support/command-tests.ts';
import type { Ran } from '../../support/run.ts';

const { at } = embeddedForAll();
const run = (line: string, stdin?: string): Promise<Ran> =>
  at.run(line.split(' '), stdin === undefined ? {} : { stdin });
const stored = async (route: string) => JSON.parse((await run(`api scheduler GET ${route}`)).stdout);

describe('namespace put --in FILE.hcl', () => {
  test('keeps the names of claims and metadata as written', async () => {
    at.write(
      'ns.hcl',
      `name = "claims"
meta { some_key = "v" }
capabilities { enabled_task_drivers = ["docker"] }
required_extra_claims { foo = "bar" }
optional_extra_claims { my_claim = "class:x", "https://x/y_z" = "1" }
`.replace(', "https', '\n "https'),
    );
    expect(await run('namespace put --in ns.hcl')).toMatchObject({ code: 0 });
    expect(await stored('namespace/claims')).toMatchObject({
      Meta: { some_key: 'v' },
      Capabilities: { EnabledTaskDrivers: ['docker'] },
      RequiredExtraClaims: { foo: 'bar' },
      OptionalExtraClaims: { my_claim: 'class:x', 'https://x/y_z': '1' },
    });
  });
});

describe('var put --in', () => {
  test.each([
    ['lock.hcl', 'items { a = "1" }\nlock { ttl = "15s" }\n', 'lock'],
    ['typo.hcl', 'path = "a"\nitmes { a = "1" }\n', 'itmes'],
    ['other.hcl', 'items { a = "1" }\nfoo = "x"\n', 'foo'],
    ['lock.json', '{"Items":{"a":"1"},"Lock":{"ID":"x"}}', 'Lock'],
    ['other.json', '{"Items":{"a":"1"},"Foo":1}', 'Foo'],
    ['other.yaml', 'Items: {a: "1"}\nFoo: x\n', 'Foo'],
  ])('rejects an unknown field in %s by name', async (file, content, field) => {
    at.write(file, content);
    expectFailure(await run(`var put unknown/a --in ${file}`), 2, `unknown field "${field}"`);
    expect(await run('var get unknown/a')).toMatchObject({ code: 3 });
  });

  test('takes numbers of HCL as text, and several blocks of items as one', async () => {
    at.write('port.hcl', 'items { port = 5432 }\nitems { user = "app" }\n');
    expect(await run('var put hcl/a --in port.hcl')).toMatchObject({ code: 0 });
    expect((await stored('var/hcl/a')).Items).toEqual({ port: '5432', user: 'app' });
    at.write('on.hcl', 'items { on = true }\n');
    expect(await run('var put hcl/a --in on.hcl')).toMatchObject({ code: 2 });
  });

  test('takes the path from the file and items from the command line', async () => {
    at.write('part.hcl', 'path = "hcl/part"\nitems { a = "1" }\n');
    expect(await run('var put --in part.hcl a=2 b=3')).toMatchObject({ code: 0 });
    expect((await stored('var/hcl/part')).Items).toEqual({ a: '2', b: '3' });
    at.write('none.hcl', 'path = "hcl/none"\n');
    expect(await run('var put --in none.hcl k=v')).toMatchObject({ code: 0 });
    expect((await stored('var/hcl/none')).Items).toEqual({ k: 'v' });
    expect(await run('var put --in part.hcl a=2 a=3')).toMatchObject({ code: 2 });
  });
});

describe('a path that ends in a slash', () => {
  test('is read, exported with a warning, and deleted', async () => {
    await run('api scheduler PUT var/raw/t/ --data -', '{"Path":"raw/t/","Items":{"k":"v"}}');
    expect(await run('var get raw/t/ -o json')).toMatchObject({ code: 0 });
    expectExit(await run('export state --kind scheduler.variable --secrets env'), 0);
    expect(await run('var delete raw/t/ --yes')).toMatchObject({ code: 0 });
    expect(await run('var get raw/t/')).toMatchObject({ code: 3 });
    expect(await run('var put raw/t/ k=v')).toMatchObject({ code: 2 });
  });
});
