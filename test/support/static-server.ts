import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { listening } from './ports.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

export interface StaticServer {
  /** Address of the folder, with a slash at the end. */
  readonly address: string;
  close(): void;
}

/**
 * Serves a folder on loopback as hosts of static sites do: `/guide` is guide.html, a folder is its index.html, and
 * 404.html is the response for anything else.
 *
 * @param base the path under which it is served, with a slash at both ends
 */
export async function serveFolder(folder: string, base: string): Promise<StaticServer> {
  const content = async (path: string): Promise<[body: Buffer, file: string] | undefined> => {
    const candidates = path.endsWith('/') || path === '' ? [`${path}index.html`] : [path, `${path}.html`];
    for (const file of candidates) {
      const body = await readFile(join(folder, file)).catch(() => undefined);
      if (body) return [body, file];
    }
    return undefined;
  };
  const server = createServer(async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1');
    const path = decodeURIComponent(pathname);
    const found = path.startsWith(base) ? await content(path.slice(base.length)) : undefined;
    const [body, file] = found ?? [await readFile(join(folder, '404.html')), '404.html'];
    response.writeHead(found ? 200 : 404, { 'content-type': types[extname(file)] ?? 'text/plain' });
    response.end(body);
  });
  const { address } = await listening(server);
  return {
    address: address + base,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
