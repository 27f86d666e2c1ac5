import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ImageParts, ImageStore } from '../../../../src/services/box/images/image-store.ts';
import { defineService } from '../../../../src/services/core/http/define-service.ts';
import { createHttpServer } from '../../../../src/services/core/http/http-server.ts';
import { HttpError, textResponse } from '../../../../src/services/core/http/http-service.ts';
import { Router } from '../../../../src/services/core/http/router.ts';
import type { HandlerOf } from '../../../../src/services/core/operation.ts';
import { memoryStorage } from '../../../support/memory-storage.ts';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Images with the origin that they are uploaded to, and one that gives them at `/images/KEY`. */
export interface Started {
  readonly images: ImageStore;
  readonly downloads: string;
  readonly logged: string[];
  /** Moves the clock on by so many minutes. */
  wait(minutes: number): void;
  close(): Promise<void>;
}

export async function startImages(parts: Partial<ImageParts> = {}): Promise<Started> {
  const logged: string[] = [];
  let late = 0;
  const images = await ImageStore.open({
    storage: memoryStorage(),
    clock: () => new Date(Date.UTC(2026, 0, 1) + late),
    random: (length) => randomBytes(length),
    log: (line) => logged.push(line),
    ...parts,
  });
  const options = { version: '0.0.0-test', log: (line: string) => logged.push(line) };
  const routes = new Router<HandlerOf<object>>().on('GET', 'images/:key', async ({ request, params }) => {
    const image = await images.download(params.key ?? '', request);
    if (!image) throw new HttpError(404, 'no image');
    return image;
  });
  const uploads = createHttpServer(images.uploads, {
    ...options,
    timeouts: { headMs: 15_000, requestMs: 0 },
  });
  const downloads = createHttpServer(
    defineService({
      name: 'box',
      headerPrefixes: ['X-Box', 'X-Atlas'],
      routes,
      authenticate: () => ({}),
      storage: memoryStorage(),
      log: options.log,
      errorBody: ({ status, message }) => textResponse(status, message),
    }),
    options,
  );
  images.setUploadOrigin(`http://127.0.0.1:${await uploads.listen(0)}`);
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= Promise.all([uploads.close(), downloads.close()]).then(() => images.close());
    return closed;
  };
  onTestFinished(close);
  return {
    images,
    downloads: `http://127.0.0.1:${await downloads.listen(0)}`,
    logged,
    wait: (minutes) => {
      late += minutes * 60_000;
    },
    close,
  };
}

export function send(
  url: string,
  method: string,
  { headers = {}, body }: { headers?: OutgoingHttpHeaders; body?: Uint8Array | string } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export const put = (url: string, body: Uint8Array | string): Promise<Reply> => send(url, 'PUT', { body });

/** Uploads an image of a provider and expects nothing of it. */
export async function store({ images }: Started, key: string, bytes: Uint8Array | string): Promise<void> {
  await put(images.startUpload(key).uploadPath, bytes);
}

export const digest = (type: string, bytes: Uint8Array | string): string =>
  createHash(type).update(bytes).digest('hex');

/** What is in the folder of images of a data directory. */
export const filesOf = (data: string): Promise<string[]> =>
  readdir(join(data, 'lanyard-images')).catch(() => [] as string[]);
