import { kinds as errorKinds } from '../errors.ts';
import type { Json, JsonSchema } from '../wire/json.ts';
import { applySchema, planSchema } from './operations.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

const text: Json = { type: 'string' };
const count: Json = { type: 'integer', minimum: 0 };
const position: Json = { type: 'integer', minimum: 1 };
const described = (schema: Json, description: string): Json => ({ ...(schema as object), description });
const ref = (name: string): Json => ({ $ref: `#/$defs/${name}` });
const listOf = (items: Json): Json => ({ type: 'array', items });

/** Later versions may add fields, so none is rejected. */
const record = (
  required: { readonly [name: string]: Json },
  optional: { readonly [name: string]: Json } = {},
): Json => ({ type: 'object', properties: { ...required, ...optional }, required: Object.keys(required) });

const actions = ['create', 'update', 'delete', 'adopt', 'none', 'blocked', 'unknown'];

const id = record({
  kind: described(text, 'SERVICE.KIND, such as registry.policy.'),
  scope: {
    type: 'object',
    additionalProperties: text,
    description: 'What the name is unique in, such as a namespace or a mount.',
  },
  key: described(text, 'The name of the object.'),
});

const summary = record({
  create: count,
  update: count,
  delete: count,
  adopt: count,
  unchanged: count,
  blocked: count,
  unknown: count,
});

const change: Json = {
  ...(record(
    {
      path: { type: 'string', description: 'JSON pointer into the document.' },
      action: { enum: ['add', 'update', 'remove'] },
      sensitive: { type: 'boolean', description: 'A value that is not shown: before and after are absent.' },
    },
    {
      before: true,
      after: true,
      unit: described({ const: 'seconds' }, 'Of numbers that are a duration.'),
      stated: described(text, 'The duration as the file states it: 90m.'),
    },
  ) as object),
  if: { properties: { sensitive: { const: true } } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: { properties: { before: false, after: false, stated: false } },
};

const operation = record(
  {
    n: described(position, 'Position in the order of execution.'),
    action: { enum: actions },
    id: ref('id'),
    name: described(
      text,
      'The name in messages, which --name takes: the key, with its scope where it has one.',
    ),
    guard: record({
      type: { enum: ['version', 're-read'] },
      value: described(text, 'The version that the plan saw.'),
    }),
    dependsOn: described(listOf(position), 'Numbers of operations that must be done before.'),
    changes: listOf(ref('change')),
  },
  { source: record({ file: text, line: position }), reason: text },
);

/** Of a set that is planned together with the one that takes the object over. */
const moved = record({ id: ref('id'), to: record({ id: text, name: text }) });

const warning = record({ code: text, message: text }, { source: record({ file: text, line: position }) });

const unmanaged = record(
  {
    id: ref('id'),
    reason: {
      enum: [
        'not-stated',
        'not-pruned',
        'copied-mark',
        'other-entries',
        'unmanaged-values',
        'changed-values',
      ],
      description:
        'not-stated: an object that no file states; not-pruned: the same, a member of the set; copied-mark: the same, with the mark of the set; other-entries: names that its file does not state; unmanaged-values: its file has "values: unmanaged"; changed-values: the same, changed since the last apply.',
    },
  },
  { items: described(listOf(text), 'Names within the object, such as data.password.') },
);

const scan = record({
  kinds: described(listOf(text), 'The kinds that were searched.'),
  otherSets: described(
    listOf(record({ id: text, objects: count })),
    'How many objects belong to other sets, by the ID of the set.',
  ),
  ignored: described(count, 'How many objects patterns left out.'),
  unread: described(
    listOf(
      record(
        { kind: text, error: record({ kind: { enum: Object.keys(errorKinds) }, message: text }) },
        { scope: { type: 'object', additionalProperties: text }, key: text },
      ),
    ),
    'Lists, and objects with a key, that could not be read.',
  ),
});

/** JSON Schema (draft 2020-12) of a plan as data: `plan -o json` and saved plans. */
export const planOutputSchema = (): JsonSchema => ({
  $schema: dialect,
  title: planSchema,
  description: 'What "lanyard plan -o json" and "lanyard apply --dry-run -o json" write, and saved plans.',
  ...(record(
    {
      schema: { const: planSchema },
      set: record({
        id: text,
        name: text,
        generation: described(count, 'Of the record of the set; 0: it does not exist.'),
      }),
      targets: {
        type: 'object',
        additionalProperties: { type: 'object', additionalProperties: text },
      },
      complete: { type: 'boolean', description: 'Every object could be read.' },
      operations: listOf(ref('operation')),
      summary: ref('summary'),
      warnings: listOf(ref('warning')),
    },
    {
      moved: listOf(ref('moved')),
      createdAt: { type: 'string', description: 'Of a saved plan: when it was made (RFC 3339).' },
      inputs: { type: 'object', description: 'Of a saved plan: what it was made of.' },
      unmanaged: described(listOf(ref('unmanaged')), 'With --unmanaged: what no file states.'),
      scan: ref('scan'),
    },
  ) as object),
  $defs: { id, change, moved, operation, scan, summary, unmanaged, warning },
});

/** JSON Schema (draft 2020-12) of what `apply -o json` writes; with `-o jsonl`: one result, or the last line. */
export const applyOutputSchema = (): JsonSchema => ({
  $schema: dialect,
  title: applySchema,
  description:
    'What "lanyard apply -o json" writes. With -o jsonl each line is a result ($defs/result), and the last one has no results.',
  ...(record(
    {
      schema: { const: applySchema },
      set: record({ id: text, name: text }),
      summary: ref('summary'),
    },
    { results: listOf(ref('result')) },
  ) as object),
  $defs: {
    id,
    summary,
    result: record(
      {
        n: position,
        action: { enum: ['create', 'update', 'delete', 'adopt'] },
        id: ref('id'),
        status: { enum: ['done', 'failed', 'unknown', 'not-started'] },
      },
      { error: record({ kind: { enum: Object.keys(errorKinds) }, message: text }) },
    ),
  },
});
