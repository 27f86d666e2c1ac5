import { hasResponded } from '../support/command-tests.ts';
import type { Home } from '../support/run.ts';
import { type Handler, json, serve, type TestServer } from '../unit/api/support.ts';
import { type Changes, changesOf, runnerAgainst } from './shelves.ts';

export interface Stored {
  readonly Namespace: string;
  readonly Path: string;
  readonly Items?: Readonly<Record<string, string>>;
  readonly ModifyIndex: number;
}

/** Namespaces and variables behind a real server that answers in the shapes of the specification's text. */
export interface Shelf extends TestServer, Changes {
  /** By `namespace path`. */
  readonly variables: Map<string, Stored>;
  readonly namespaces: Map<string, Readonly<Record<string, unknown>>>;
  put(path: string, items: Readonly<Record<string, string>>, namespace?: string): Stored;
}

interface Dialect {
  /** May send the response; otherwise the server does. */
  readonly change?: Handler;
  /** Deletes are answered so: as in the specification, or as products do. */
  readonly deleted?: '{Index}' | '204';
  /** The body of a conflict has no items, as for tokens that may not read. */
  readonly mayRead?: boolean;
}

export async function shelf({ change, deleted = '{Index}', mayRead = true }: Dialect = {}): Promise<Shelf> {
  const variables = new Map<string, Stored>();
  const namespaces = new Map<string, Readonly<Record<string, unknown>>>([
    [
      'default',
      {
        Name: 'default',
        Description: 'Default shared namespace',
        Meta: null,
        Quota: '',
        CreateIndex: 1,
        ModifyIndex: 1,
      },
    ],
  ]);
  let index = 10;
  const put = (Path: string, Items: Readonly<Record<string, string>>, Namespace = 'default'): Stored => {
    index += 1;
    const stored: Stored & Record<string, unknown> = {
      Namespace,
      Path,
      Items,
      CreateIndex: index,
      ModifyIndex: index,
      CreateTime: 0,
      ModifyTime: 0,
    };
    variables.set(`${Namespace} ${Path}`, stored);
    return stored;
  };
  const server = await serve((seen, response, count) => {
    change?.(seen, response, count);
    if (hasResponded(response)) return;
    const url = new URL(seen.url, 'http://shelf');
    const namespace = url.searchParams.get('namespace') ?? 'default';
    const cas = url.searchParams.get('cas');
    const [, what = '', name = ''] = /^\/v1\/(namespaces?|vars?)(?:\/(.+))?$/.exec(url.pathname) ?? [];
    if (what === 'namespaces') return json(response, [...namespaces.values()]);
    if (what === 'namespace') {
      const there = namespaces.get(name);
      if (seen.method === 'POST') {
        namespaces.set(name, { ...JSON.parse(seen.body), CreateIndex: 1, ModifyIndex: ++index });
        return void response.writeHead(200).end();
      }
      if (!there)
        return void response
          .writeHead(seen.method === 'GET' ? 404 : 500)
          .end(seen.method === 'GET' ? 'Namespace not found' : 'namespace not found');
      if (seen.method === 'GET') return json(response, there);
      if ([...variables.values()].some(({ Namespace }) => Namespace === name))
        return void response
          .writeHead(500)
          .end(`namespace "${name}" has variables associated with it in regions: [global]`);
      namespaces.delete(name);
      return void response.writeHead(200).end();
    }
    if (what === 'vars') {
      const prefix = url.searchParams.get('prefix') ?? '';
      const most = Number(url.searchParams.get('per_page') ?? 0) || Number.POSITIVE_INFINITY;
      const from = url.searchParams.get('next_token') ?? '';
      const all = [...variables.values()]
        .filter(
          ({ Namespace, Path }) => (namespace === '*' || Namespace === namespace) && Path.startsWith(prefix),
        )
        .map(({ Items: _items, ...rest }) => rest)
        .sort((one, other) => (one.Path < other.Path ? -1 : 1))
        .filter(({ Namespace, Path }) => `${Namespace}.${Path}` >= from);
      const next = all[most];
      if (next) response.setHeader('X-Scheduler-NextToken', `${next.Namespace}.${next.Path}`);
      return json(response, all.slice(0, most));
    }
    const there = variables.get(`${namespace} ${name}`);
    if (seen.method === 'GET')
      return there ? json(response, there) : void response.writeHead(404).end('variable not found');
    if (cas !== null && Number(cas) !== (there?.ModifyIndex ?? 0)) {
      const { Items, ...metadata } = there ?? {
        Namespace: namespace,
        Path: name,
        ModifyIndex: 0,
        Items: undefined,
      };
      return conflict(response, mayRead && there ? { ...metadata, Items } : metadata);
    }
    if (seen.method === 'PUT') return json(response, put(name, JSON.parse(seen.body).Items, namespace));
    variables.delete(`${namespace} ${name}`);
    return deleted === '204' ? void response.writeHead(204).end() : json(response, { Index: ++index });
  });
  return { ...server, variables, namespaces, put, ...changesOf(server) };
}

/** A conflict as Nomad 2.0 sends it: JSON under the type of plain text. */
export function conflict(response: Parameters<Handler>[1], variable: object): void {
  response
    .writeHead(409, { 'Content-Type': 'text/plain; charset=utf-8', 'X-Nomad-Index': '0' })
    .end(JSON.stringify(variable));
}

/** What Nomad's conflict has for a variable that is locked, and for one that does not exist. */
export const zeroed = (Path: string): object => ({
  CreateIndex: 0,
  CreateTime: 0,
  ModifyIndex: 0,
  ModifyTime: 0,
  Namespace: 'default',
  Path,
});

/** Runs a command line against a server. */
export const runAt = (at: Home) => runnerAgainst(at, (url) => ({ LANYARD_SCHEDULER_ADDR: url }));
