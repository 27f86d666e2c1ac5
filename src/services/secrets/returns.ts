import type { ResponseSpec } from '../core/operation.ts';
import * as s from '../core/schema/types.ts';
import { isMap, isObjectType, type Type } from '../core/schema/types.ts';

/** What an operation returns, besides an error. */
export interface Returns {
  /** The `data` of the response; absent: none. */
  readonly data?: Type;
  /** The fields of the data are also copied to the top level of the response, as in some reads of the product. */
  readonly isCopied?: true;
  /** By status, or `default`. */
  readonly responses: Readonly<Record<string, ResponseSpec>>;
}

const texts = s.list(s.string());
/** Always null. */
export const nothing = s.nullable(s.oneOf([]));

const wrapInfo = s.named(
  'WrapInfo',
  s.object({
    token: s.string('The wrapping token.'),
    accessor: s.string(),
    ttl: s.integer('Seconds.'),
    creation_time: s.time(),
    creation_path: s.string(),
    wrapped_accessor: s.optional(s.string()),
  }),
);

const auth = s.named(
  'Auth',
  s.object({
    client_token: s.string('The token.'),
    accessor: s.string(),
    policies: texts,
    token_policies: texts,
    identity_policies: s.optional(texts),
    metadata: s.nullable(s.map(s.string())),
    lease_duration: s.integer('Seconds.'),
    renewable: s.boolean(),
    entity_id: s.string(),
    token_type: s.oneOf(['service', 'batch']),
    orphan: s.boolean(),
    mfa_requirement: nothing,
    num_uses: s.integer(),
  }),
);

/** The JSON response format, with this data. */
const envelope = (data: Type) =>
  s.object({
    request_id: s.string(),
    lease_id: s.string(),
    renewable: s.boolean(),
    lease_duration: s.integer('Seconds.'),
    data,
    wrap_info: s.nullable(wrapInfo),
    warnings: s.nullable(texts),
    auth: s.nullable(auth),
    mount_type: s.string(),
  });

/** The JSON response format, with the fields of this data also next to it. */
function copyingEnvelope(data: Type): Type {
  const type = envelope(s.nullable(data));
  if (isMap(data)) return s.open(type);
  return isObjectType(data) ? s.object({ ...s.partial(data.fields), ...type.fields }) : type;
}

const emptyResponse = s.named('EmptyResponse', envelope(nothing));
export const anyResponse = s.named('AnyResponse', envelope(s.nullable(s.anyObject())));

/** The data of the response. */
export const returns = (data: Type): Returns => ({
  data,
  responses: { 200: { body: envelope(s.nullable(data)) } },
});

/** The data of the response, whose fields are also next to it. */
export const copied = (data: Type): Returns => ({
  data,
  isCopied: true,
  responses: { 200: { body: copyingEnvelope(data) } },
});

/** The data of the response, or no body. */
export const orEmpty = (data: Type): Returns => ({
  data,
  responses: { ...returns(data).responses, 204: { description: 'Success, without a result.' } },
});

/** A body without the JSON response format. */
export const bare = (body: Type, statuses: readonly string[] = ['200']): Returns => ({
  data: body,
  responses: Object.fromEntries(statuses.map((status) => [status, { body }])),
});

/** A text; a wrapped one is JSON. */
export const text = (description: string): Returns => ({
  responses: {
    200: { body: emptyResponse, content: { type: 'text/plain', schema: { type: 'string', description } } },
  },
});

/** The `keys` of a list, and more about them. */
export const keys = (more: s.Fields = {}): Returns => returns(s.object({ keys: texts, ...more }));

/** 204, or 200 with warnings. */
export const done: Returns = {
  responses: {
    200: { description: 'Success, with warnings.', body: emptyResponse },
    204: { description: 'Success.' },
  },
};

export const started: Returns = { responses: { 202: { description: 'Started.', body: emptyResponse } } };

export const token: Returns = {
  responses: { 200: { description: 'The token, in `auth`.', body: emptyResponse } },
};

/** Any response in the usual format. */
export const any: Returns = { responses: { 200: { body: anyResponse } } };

/** The wrapped response; some have the fields of the data also next to it. */
export const unwrapped: Returns = {
  responses: {
    200: {
      description: 'The wrapped response.',
      body: copyingEnvelope(s.map(s.json())),
      content: { type: 'text/plain', schema: { type: 'string' } },
    },
    204: { description: 'The wrapped response has no body.' },
  },
};

export const rejected: Returns = { responses: {} };
