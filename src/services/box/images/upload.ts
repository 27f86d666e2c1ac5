import { defineService } from '../../core/http/define-service.ts';
import { HttpError, type HttpRequest, type HttpService, textResponse } from '../../core/http/http-service.ts';
import { Router } from '../../core/http/router.ts';
import type { HandlerOf } from '../../core/operation.ts';
import type { Storage } from '../../core/store/storage.ts';
import type { StoredImage } from './images.ts';

/** Receives the image of an upload. @throws HttpError */
export type Receive = (id: string, request: HttpRequest) => Promise<Pick<StoredImage, 'checksums'>>;

export const uploadPath = (id: string): string => `/upload/${id}`;

/** The origin for PUT of images, without a token: the path is secret (docs/protocol/box.md#uploads). */
export function uploadService(
  receive: Receive,
  parts: { readonly storage: Storage; readonly log: (line: string) => void },
): HttpService {
  const routes = new Router<HandlerOf<object>>().on(
    'PUT',
    uploadPath(':id').slice(1),
    async ({ request, params }) => {
      if (request.headers['content-range'] !== undefined)
        throw new HttpError(400, 'an image is sent whole, not in ranges');
      const { checksums } = await receive(params.id ?? '', request);
      return { status: 200, headers: { ETag: `"${checksums.sha256}"` } };
    },
  );
  return defineService({
    ...parts,
    name: 'uploads',
    headerPrefixes: ['X-Box', 'X-Atlas'],
    routes,
    authenticate: () => ({}),
    errorBody: ({ status, message }) => textResponse(status, `${message}\n`),
    messages: { methodNotAllowed: 'method not allowed' },
  });
}
