import { hasResponded } from '../../support/command-tests.ts';
import type { Home } from '../../support/run.ts';
import { type Handler, json, serve, type TestServer } from '../../unit/api/support.ts';
import { type Changes, changesOf, runnerAgainst } from '../shelves.ts';

export type Query = { readonly [field: string]: unknown };

export const id = (n: number): string => `8f246b77-f3e1-ff88-5b48-${String(n).padStart(12, '0')}`;

/** Prepared queries behind a real server that answers in the shapes of the specification's text. */
export interface Shelf extends TestServer, Changes {
  readonly queries: Map<string, Query>;
}

/** `change` may send the response; otherwise the server does. */
export async function shelf(stored: readonly Query[], change: Handler = () => {}): Promise<Shelf> {
  const queries = new Map(
    stored.map((query, index) => [
      id(index + 1),
      { ID: id(index + 1), RaftIndex: { CreateIndex: 7, ModifyIndex: 7 }, ...query } as Query,
    ]),
  );
  const server = await serve((seen, response, count) => {
    change(seen, response, count);
    if (hasResponded(response)) return;
    const [, ID] = /^\/v1\/query\/([^/?]+)/.exec(seen.url) ?? [];
    const there = ID === undefined ? undefined : queries.get(ID);
    if (seen.method === 'GET' && ID === undefined) return json(response, [...queries.values()]);
    if (seen.method === 'POST') {
      const made = id(queries.size + 1);
      queries.set(made, { ID: made, ...JSON.parse(seen.body) });
      return json(response, { ID: made });
    }
    if (!there || ID === undefined) return void response.writeHead(404).end('Query not found');
    if (seen.method === 'GET') return json(response, [there]);
    if (seen.method === 'DELETE') queries.delete(ID);
    if (seen.method === 'PUT') queries.set(ID, { ID, ...JSON.parse(seen.body) });
    response.end();
  });
  return { ...server, queries, ...changesOf(server) };
}

/** Runs a command of `query` against a server. */
export const runAt = (at: Home) => runnerAgainst(at, (url) => ({ LANYARD_REGISTRY_ADDR: url }), 'query');
