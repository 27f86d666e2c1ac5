import { type HttpResponse, jsonResponse } from '../core/http/http-service.ts';
import type { Typed } from '../core/operation.ts';
import { type Fields, type Input, type ObjectType, partial } from '../core/schema/types.ts';
import { requireFound } from './auth.ts';
import { type Call, operations } from './call.ts';
import { type ListQuery, listOf, listResponse, pageQuery } from './list/list-response.ts';
import type { Access } from './permissions/access.ts';
import { updateQuery } from './update.ts';

interface Resource<Schema extends ObjectType> {
  readonly tag: string;
  /** As in IDs of operations: `AuthMethod`. */
  readonly name: string;
  /** As in summaries, with an article. */
  readonly noun: string;
  /** In requests that create one. */
  readonly schema: Schema;
  /** In lists; default: the same. */
  readonly item?: ObjectType;
  /** In the other responses; default: as in lists. */
  readonly details?: ObjectType;
}

/** What a list reads, and what the caller may see of it. */
interface Listed {
  readonly access: Access;
  readonly collections: readonly string[];
}

/** A list: the query parameters, what it reads, and the view of an item. */
interface Listing<Query extends Fields> {
  readonly description?: string;
  readonly isUnauthenticated?: true;
  readonly query: Query;
  read(call: Call, query: Input<ObjectType<Query>>): Promise<Listed> | Listed;
  viewOf(access: Access, id: string, call: Call): object | null | undefined;
}

/** Null: a resource that was removed meanwhile. */
type Viewed = object | null | Promise<object | null>;

/** @throws HttpError 404 */
export const found = async (view: Viewed): Promise<HttpResponse> =>
  jsonResponse(200, requireFound((await view) ?? undefined));

/** A resource as responses have it: the output fields of grants may leave out any field. */
export const responseOf = <T extends ObjectType>(type: T): ObjectType => ({
  ...type,
  fields: partial(type.fields),
});

/** The operations of resources, which differ in what they check and do. */
export function resource<Schema extends ObjectType>({
  tag,
  name,
  noun,
  schema,
  item: itemSchema = schema,
  details,
}: Resource<Schema>) {
  const operation = operations(tag);
  const item = responseOf(itemSchema);
  const result = { returns: details ? responseOf(details) : item, errors: [404] } as const;
  const createWith = <const Query extends Fields>(
    query: Query,
    create: (call: Call & Typed<Query, Schema>) => Viewed,
    summary = `Create ${noun}`,
  ) =>
    operation(`create${name}`, summary, {
      ...result,
      query,
      body: schema,
      handle: (call) => found(create(call)),
    });
  return {
    list: <const Query extends Fields>(summary: string, listing: Listing<Query>) =>
      operation(`list${name}s`, summary, {
        ...listing,
        query: { ...listing.query, ...pageQuery },
        returns: listOf(item),
        // Also where no token is required: a list is permitted by grants.
        errors: [400, 401, 403, 404],
        async handle(call) {
          const query = call.query() as unknown as ListQuery & Input<ObjectType<Query>>;
          const { access, collections } = await listing.read(call, query);
          return listResponse(call, query, item, collections, (id) => listing.viewOf(access, id, call));
        },
      }),
    get: (view: (call: Call) => Viewed) =>
      operation(`get${name}`, `Read ${noun}`, {
        ...result,
        errors: [400, 404],
        handle: (call) => found(view(call)),
      }),
    /** One whose creation has query parameters. */
    createWith,
    create: (create: (call: Call & Typed<Fields, Schema>) => Viewed, summary?: string) =>
      createWith({}, create, summary),
    update: <Body extends ObjectType>(
      body: Body,
      update: (call: Call & Typed<typeof updateQuery, Body>) => Viewed,
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
