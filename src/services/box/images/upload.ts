import { defineService, type RouteHandler } from '../../core/http/define-service.ts';
import { HttpError, type HttpRequest, type HttpService, textResponse } from '../../core/http/http-service.ts';
import { Router } from '../../core/http/router.ts';
import type { StoredImage } from './images.ts';

/** Receives the image of an upload. @throws HttpError */
export type Receive = (id: string, request: HttpRequest) => Promise<Pick<StoredImage, 'checksums'>>;

export const uploadPath = (id: string): string => `/upload/${id}`;

/**
 * The upload origin: PUT of the bytes to an upload path (docs/protocol/box.md#uploads). It needs no token, because
 * the path is the secret.
 */
export function uploadService(receive: Receive): HttpService {
  const routes = new Router<RouteHandler>().on('PUT', uploadPath(':id').slice(1), async (request, params) => {
    if (request.headers['content-range'] !== undefined) {
      throw new HttpError(400, 'an image is sent whole, not in ranges');
    }
    const { checksums } = await receive(params.id ?? '', request);
    return { status: 200, headers: { ETag: `"${checksums.sha256}"` } };
  });
  return defineService('uploads', ['X-Box', 'X-Atlas'], routes, (status, message) =>
    textResponse(status, `${message}\n`),
  );
}
