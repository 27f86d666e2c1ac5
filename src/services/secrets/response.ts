import type { JsonObject } from '../../wire/json.ts';
import { type HttpError, type HttpResponse, jsonResponse, textResponse } from '../core/http/http-service.ts';
import { JsonBody } from '../core/http/json-body.ts';
import type { EngineResponse } from './engine.ts';
import { SecretsError } from './errors.ts';

const noStore = { 'Cache-Control': 'no-store' };

/** A body without the JSON response format. */
export function bareResponse(status: number, value: unknown): HttpResponse {
  return jsonResponse(status, value, { headers: noStore });
}

/** The body of every error; 404 has no text of its own. */
export function errorBody(error: HttpError): HttpResponse {
  const { status, message } = error;
  const errors = error instanceof SecretsError ? error.errors : status === 404 ? [] : [message];
  return bareResponse(status, { errors });
}

/** The response of a path that works in every state, without the JSON response format. */
export const stateResponse = (response: EngineResponse | undefined): HttpResponse =>
  withType(bareResponse(response?.status ?? 200, response?.data ?? {}), response);

/** The JSON format of a response ("secret structure"): always with every field; no response is 204. */
export function envelope(response: EngineResponse | undefined, requestId: string, mountType: string) {
  if (response === undefined)
    return { status: 204, headers: { ...noStore, 'Content-Type': 'application/json' } };
  const { status, text, data, lease, leaseId, duration, warnings, auth, wrapInfo } = response;
  if (wrapInfo) return wrappedEnvelope(wrapInfo);
  if (text) {
    return textResponse(status ?? 200, text.body, {
      headers: { ...noStore, 'Content-Type': text.contentType },
    });
  }
  const http = bareResponse(status ?? 200, {
    ...(response.returns?.isCopied && data),
    request_id: requestId,
    lease_id: leaseId ?? '',
    renewable: false,
    lease_duration: lease?.duration ?? duration ?? 0,
    data: data ?? null,
    wrap_info: null,
    warnings: warnings && warnings.length > 0 ? warnings : null,
    auth: auth ?? null,
    mount_type: mountType,
  });
  return withType(http, response);
}

/** A response that is written with the type of its status; other ones are errors. */
function withType(http: HttpResponse, response: EngineResponse | undefined): HttpResponse {
  const { responses = {} } = response?.returns ?? {};
  const type = (responses[http.status] ?? responses.default)?.body;
  return type && http.body instanceof JsonBody ? { ...http, body: http.body.as(type) } : http;
}

/** The JSON format of a wrapped response. */
export function wrappedEnvelope(wrapInfo: JsonObject): HttpResponse {
  return bareResponse(200, {
    request_id: '',
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    data: null,
    wrap_info: wrapInfo,
    warnings: null,
    auth: null,
    mount_type: '',
  });
}
