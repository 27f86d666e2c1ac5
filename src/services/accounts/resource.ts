import { type HttpResponse, jsonResponse } from '../core/http/http-service.ts';
import type { Typed } from '../core/operation.ts';
import type { Fields, Input, ObjectType } from '../core/schema/types.ts';
import { type Call, operation } from './call.ts';
import { type ListQuery, listOf, listResponse, pageQuery } from './list/list-response.ts';
import { updateQuery } from './update.ts';

interface Resource<Schema extends ObjectType> {
  readonly tag: string;
  /** As in IDs of operations: `AuthMethod`. */
  readonly name: string;
  /** As in summaries, with an article. */
  readonly noun: string;
  /** In lists, and in requests that create one. */
  readonly schema: Schema;
  /** In the other responses. */
  readonly details?: ObjectType;
}

/** Besides what all operations of its kind have. */
interface More {
  readonly summary?: string;
  readonly description?: string;
  readonly isUnauthenticated?: true;
}

/** A list: the query parameters, the collections that it reads, and the view of an item. */
interface Listing<Query extends Fields> extends More {
  readonly summary: string;
  readonly query: Query;
  collections(call: Call, query: Input<ObjectType<Query>>): Promise<string[]> | string[];
  viewOf(call: Call, id: string): object | null | undefined;
}

type View = object | Promise<object>;

const found = async (view: View): Promise<HttpResponse> => jsonResponse(200, await view);

/** The operations of resources, which differ in what they check and do. */
export const resource = <Schema extends ObjectType>({
  tag,
  name,
  noun,
  schema,
  details = schema,
}: Resource<Schema>) => ({
  list: <const Query extends Fields>({ query, collections, viewOf, ...more }: Listing<Query>) =>
    operation({
      id: `list${name}s`,
      tag,
      ...more,
      query: { ...query, ...pageQuery },
      returns: listOf(schema),
      errors: [400, 404],
      async handle(call) {
        const given = call.query() as unknown as ListQuery & Input<ObjectType<Query>>;
        const all = await collections(call, given);
        return listResponse(call, given, schema, all, (id) => viewOf(call, id));
      },
    }),
  get: (view: (call: Call) => View) =>
    operation({
      id: `get${name}`,
      tag,
      summary: `Read ${noun}`,
      returns: details,
      errors: [400, 404],
      handle: (call) => found(view(call)),
    }),
  create: (create: (call: Call & Typed<Fields, Schema>) => View, more: More = {}) =>
    operation({
      id: `create${name}`,
      tag,
      summary: `Create ${noun}`,
      ...more,
      body: schema,
      returns: details,
      errors: [404],
      handle: (call) => found(create(call)),
    }),
  update: <Body extends ObjectType>(
    body: Body,
    update: (call: Call & Typed<typeof updateQuery, Body>) => View,
  ) =>
    operation({
      id: `update${name}`,
      tag,
      summary: `Update ${noun}`,
      query: updateQuery,
      body,
      returns: details,
      errors: [404],
      handle: (call) => found(update(call)),
    }),
  remove: (remove: (call: Call) => Promise<void>, more: More = {}) =>
    operation({
      id: `delete${name}`,
      tag,
      summary: `Delete ${noun}`,
      ...more,
      responses: { 204: {} },
      errors: [400, 404],
      async handle(call) {
        await remove(call);
        return { status: 204 };
      },
    }),
});
