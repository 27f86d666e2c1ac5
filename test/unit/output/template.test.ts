import { describe, expect, test } from 'vitest';
import { LanyardError, notFound } from '../../../src/errors.ts';
import type { ValueRequest } from '../../../src/output/template/requests.ts';
import { templateParser } from '../../../src/output/template/template.ts';
import type { Json } from '../../../src/wire/json.ts';

const values: Readonly<Record<string, Json>> = {
  db: {
    password: `p'"\\\n$x`,
    plain: 'abc',
    number: 12345678901234567890n,
    list: [1, 'a'],
    empty: null,
    inner: { a: 1 },
    'a.b-c': 'odd',
    __proto__: 'own',
  },
  web: [
    { address: '10.0.0.1', port: 80, tags: ['a'] },
    { address: '10.0.0.2', port: 81, tags: [] },
  ],
  mode: 'on',
};

const parse = await templateParser(['kv', 'service', 'key']);

/** Renders a template. @returns the text, and the requests in their order. */
async function rendered(template: string): Promise<{ text: string; requests: ValueRequest[] }> {
  const requests: ValueRequest[] = [];
  const text = await parse(template, 'app.liquid').render(async (request) => {
    requests.push(request);
    if (request.name === 'denied') throw new LanyardError('forbidden', 'permission denied');
    if (!Object.hasOwn(values, request.name)) throw notFound(`"${request.name}" not found`);
    return values[request.name] ?? null;
  });
  return { text, requests };
}

const textOf = async (template: string): Promise<string> => (await rendered(template)).text;

async function errorOf(template: string): Promise<Pick<LanyardError, 'kind' | 'message' | 'hint'>> {
  const error = await textOf(template).catch((caught: unknown) => caught);
  if (!(error instanceof LanyardError)) throw new Error(`no LanyardError for ${template}: ${error}`);
  const { kind, message, hint } = error;
  return { kind, message, hint };
}

describe('values', () => {
  test.each([
    ['{{ ("db" | kv).plain }}', 'abc'],
    ['{% assign db = "db" | kv %}{{ db.plain | upcase }}', 'ABC'],
    ['{{ ("db" | kv)["a.b-c"] }}', 'odd'],
    ['{{ ("db" | kv).number }}', '12345678901234567890'],
    ['{{ ("db" | kv).inner | json }}', '{"a":1}'],
    ['{{ "mode" | key }}é', 'oné'],
    ['{% for i in ("web" | service) %}{{ i.address }}:{{ i.port }} {% endfor %}', '10.0.0.1:80 10.0.0.2:81 '],
    ['{% if ("mode" | key) == "on" %}yes{% endif %}', 'yes'],
    ['{% case ("mode" | key) %}{% when "on" %}ON{% endcase %}', 'ON'],
    ['{% assign one = "web" | service | where: "port", 81 | first %}{{ one.address }}', '10.0.0.2'],
    ['{{ "web" | service | map: "address" | join: "," }}', '10.0.0.1,10.0.0.2'],
    ['{% raw %}{{ x }}{% endraw %}', '{{ x }}'],
    ['{% for pair in (("db" | kv).inner) %}{{ pair[0] }}={{ pair[1] }}{% endfor %}', 'a=1'],
  ])('renders %s', async (template, text) => {
    expect(await textOf(template)).toBe(text);
  });

  test('a dash at a tag removes blanks of its line only, and the indentation of the next line stays', async () => {
    expect(
      await textOf(
        'a:\n  {%- for i in ("web" | service) -%}\n  - {{ i.port }}\n  {%- endfor -%}\n\n  b: 1\n',
      ),
    ).toBe('a:\n  - 80\n  - 81\n\n  b: 1\n');
    expect(await textOf('{% for i in ("web" | service) -%}\n  {{ i.port }}\n{% endfor -%}\nend')).toBe(
      '  80\n  81\nend',
    );
  });
});

describe('missing values', () => {
  test.each([
    ['\n  {{ ("db" | kv).nope }}', 'not_found', 'app.liquid:2:6: no value for ("db" | kv).nope'],
    ['{{ ("db" | kv).empty }}', 'not_found', 'app.liquid:1:4: no value for ("db" | kv).empty'],
    ['{{ ("db" | kv).size }}', 'not_found', 'app.liquid:1:4: no value for ("db" | kv).size'],
    ['{{ ("db" | kv).first }}', 'not_found', 'app.liquid:1:4: no value for ("db" | kv).first'],
    ['{{ ("db" | kv).constructor }}', 'not_found', 'app.liquid:1:4: no value for ("db" | kv).constructor'],
    ['{{ nothing }}', 'not_found', 'app.liquid:1:4: no value for nothing'],
    ['{{ "none" | key }}', 'not_found', 'app.liquid:1:1: "none" not found'],
    ['{{ ("none" | kv).a.b }}', 'not_found', 'app.liquid:1:1: "none" not found'],
    ['{{ "none" | key | upcase }}', 'not_found', 'app.liquid:1:1: "none" not found'],
    ['{{ "a" | append: ("none" | key) }}', 'not_found', 'app.liquid:1:1: "none" not found'],
    ['\n{% for i in ("none" | service) %}{% endfor %}', 'not_found', 'app.liquid:2:1: "none" not found'],
    ['{{ "denied" | key | default: "x" }}', 'forbidden', 'app.liquid:1:1: permission denied'],
    ['{{ "web" | service | map: "adress" }}', 'usage', 'app.liquid:1:1: an item has no field "adress"'],
    ['{{ "web" | service | where: "port", 1 | first }}', 'usage', 'app.liquid:1:1: no value'],
  ] as const)('%j is an error with its place', async (template, kind, message) => {
    expect(await errorOf(template)).toMatchObject({ kind, message: `cannot render ${message}` });
  });

  test.each([
    ['{{ "none" | key | default: "d" }}', 'd'],
    ['{{ ("none" | kv).a.b | default: "d" }}', 'd'],
    ['{{ ("db" | kv).nope | default: "d" }}', 'd'],
    ['{% if ("none" | key) %}yes{% else %}no{% endif %}', 'no'],
    ['{% unless ("db" | kv).nope %}no{% endunless %}', 'no'],
    ['{% for i in ("none" | service) %}{% else %}none{% endfor %}', 'none'],
  ])('%j has a default', async (template, text) => {
    expect(await textOf(template)).toBe(text);
  });
});

describe('what is not rendered', () => {
  test.each([
    ['{{ "db" | kv }}', 'expected text, not an object: select a field, or use the filter "json"'],
    ['{{ "web" | service }}', 'expected text, not a list: select a field, or use the filter "json"'],
    ['{% include "x" %}', 'tag "include" not found'],
    ['{% render "x" %}', 'tag "render" not found'],
    ['{% layout "x" %}', 'tag "layout" not found'],
    ['{% liquid echo 1 %}', 'tag "liquid" not found'],
    ['{{ "x" | raw }}', 'undefined filter: raw'],
    ['{{ "x" | where_exp: "i", "i" }}', 'undefined filter: where_exp'],
    ['{{ "x" | constructor }}', 'undefined filter: constructor'],
    ['{{ "now" | date: "%Y" }}', 'the filter "date" does not support "now"'],
    ['{{ "x" | key: "y" }}', 'the filter "key" takes named arguments only, as NAME: VALUE'],
    ['{% if x %}', 'tag {% if x %} not closed'],
    ['{{ x', 'output "{{ x" not closed'],
    [
      '{% for i in "web" | service %}x{% endfor %}',
      'a value with filters needs parentheses: {% for i in ("web" | service) %}',
    ],
  ])('rejects %j', async (template, cause) => {
    expect(await errorOf(template)).toMatchObject({
      kind: 'usage',
      message: `cannot render app.liquid:1:1: ${cause}`,
    });
  });

  test('an expression without parentheses in a condition has a hint', async () => {
    expect(await errorOf('{% if "mode" | key == "on" %}{% endif %}')).toEqual({
      kind: 'usage',
      message: 'cannot render app.liquid:1:20: expected ":" after filter name',
      hint: 'Put a value with filters in parentheses: {% if ("app/mode" | key) == "on" %}',
    });
  });
});

describe('filters', () => {
  const filtered = (filter: string) => textOf(`{% assign db = "db" | kv %}{{ ${filter} }}`);

  test.each([
    ['db.password | json', '"p\'\\"\\\\\\n$x"'],
    ['db.password | toml', '"p\'\\"\\\\\\n$x"'],
    ['db.list | toml', '[1, "a"]'],
    ['db.number | toml', '12345678901234567890'],
    ['db.password | shell', `'p'\\''"\\\n$x'`],
    ['db.plain | dotenv', "'abc'"],
    ['"it\'s" | dotenv', '"it\'s"'],
    ['db.inner | json: 2', '{\n  "a": 1\n}'],
    ['db.plain | base64_encode', 'YWJj'],
    ['"YWJj" | base64_decode', 'abc'],
    ['db.plain | sha256', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['"2026-01-02T03:04:05Z" | date: "%Y-%m-%d %H:%M"', '2026-01-02 03:04'],
  ])('%s', async (filter, text) => {
    expect(await filtered(filter)).toBe(text);
  });

  test('indent leaves the first line and empty lines alone', async () => {
    expect(await textOf('{% capture t %}a\n\nb\n{% endcapture %}  {{ t | indent: 2 }}')).toBe('  a\n\n  b\n');
  });

  test('pem joins a chain, and rejects what is not PEM', async () => {
    const block = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
    const chain = await templateParser(['kv']);
    const render = (value: Json) =>
      chain('{{ ("x" | kv).c | pem }}', 'c.liquid').render(async () => ({ c: value }));
    expect(await render(`${block.replaceAll('\n', '\r\n')}\n`)).toBe(block);
    expect(await render([block, `${block}\n${block}\n`])).toBe([block, block, block].join('\n'));
    for (const value of ['abc', '', `${block}\nrest`, [block, 'x']])
      await expect(render(value)).rejects.toThrow(
        'cannot render c.liquid:1:1: the filter "pem" expects PEM blocks',
      );
  });

  test.each([
    ['db.password | dotenv', 'readers of .env files parse the value differently'],
    ['"@@@" | base64_decode', 'the value is not base64'],
    ['"/w==" | base64_decode', 'the decoded value is not UTF-8 text'],
    ['db | toml', 'expected text, not an object'],
    ['db.plain | join: ","', 'the filter "join" expects a list'],
    ['db.plain | indent: "x"', 'invalid argument of the filter "indent": expected a number from 0 to 80'],
  ])('rejects %s', async (filter, cause) => {
    await expect(filtered(filter)).rejects.toThrow(cause);
  });
});

test('requests what is constant first, and with options', async () => {
  const { requests } = await rendered(
    '{% if ("mode" | key) == "on" %}{{ ("db" | kv: version: 2).plain }}{% endif %}{{ "mode" | key }}' +
      '{% for i in ("web" | service: tag: "a", all: true) %}{{ ("db" | kv).plain }}{% endfor %}',
  );
  const names = requests.map(({ source, name, options }) => [source, name, options]);
  expect(names.slice(0, 4)).toEqual([
    ['key', 'mode', {}],
    ['key', 'mode', {}],
    ['service', 'web', { tag: 'a', all: true }],
    ['kv', 'db', {}],
  ]);
  expect(requests).toContainEqual({ source: 'kv', name: 'db', options: { version: 2 } });
});

test('marks values and not the text of the template', async () => {
  const text = await parse('a={{ "mode" | key }} {{ ("web" | service).first.port | plus: 1 }}', 'm').render(
    async ({ name }) => values[name] ?? null,
    (value) => `<${value}>`,
  );
  expect(text).toBe('a=<on> <81>');
});
