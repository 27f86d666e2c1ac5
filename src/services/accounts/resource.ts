import { type HttpResponse, jsonResponse } from '../core/http/http-service.ts';
import type { Typed } from '../core/operation.ts';
import type { Fields, Input, ObjectType } from '../core/schema/types.ts';
import { type Call, operations } from './call.ts';
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

/** A list: the query parameters, the collections that it reads, and the view of an item. */
interface Listing<Query extends Fields> {
  readonly description?: string;
  readonly isUnauthenticated?: true;
  readonly query: Query;
  collections(call: Call, query: Input<ObjectType<Query>>): Promise<string[]> | string[];
  viewOf(call: Call, id: string): object | null | undefined;
}

type View = object | Promise<object>;

const found = async (view: View): Promise<HttpResponse> => jsonResponse(200, await view);

/** The operations of resources, which differ in what they check and do. */
export function resource<Schema extends ObjectType>({
  tag,
  name,
  noun,
  schema,
  details = schema,
}: Resource<Schema>) {
  const operation = operations(tag);
  const result = { returns: details, errors: [404] } as const;
  return {
    list: <const Query extends Fields>(summary: string, listing: Listing<Query>) =>
      operation(`list${name}s`, summary, {
        ...listing,
        query: { ...listing.query, ...pageQuery },
        returns: listOf(schema),
        errors: [400, 404],
        async handle(call) {
          const query = call.query() as unknown as ListQuery & Input<ObjectType<Query>>;
          const collections = await listing.collections(call, query);
          return listResponse(call, query, schema, collections, (id) => listing.viewOf(call, id));
        },
      }),
    get: (view: (call: Call) => View) =>
      operation(`get${name}`, `Read ${noun}`, {
        ...result,
        errors: [400, 404],
        handle: (call) => found(view(call)),
      }),
    create: (create: (call: Call & Typed<Fields, Schema>) => View, summary = `Create ${noun}`) =>
      operation(`create${name}`, summary, {
        ...result,
        body: schema,
        handle: (call) => found(create(call)),
      }),
    update: <Body extends ObjectType>(
      body: Body,
      update: (call: Call & Typed<typeof updateQuery, Body>) => View,
    ) =>
      operation(`update${name}`, `Update ${noun}`, {
        ...result,
        query: updateQuery,
        body,
        handle: (call) => found(update(call)),
      }),
    remove: (remove: (call: Call) => Promise<void>, summary = `Delete ${noun}`) =>
      operation(`delete${name}`, summary, {
        responses: { 204: {} },
        errors: [400, 404],
        async handle(call) {
          await remove(call);
          return { status: 204 };
        },
      }),
  };
}
