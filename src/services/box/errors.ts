import { HttpError, type HttpResponse, jsonResponse } from '../core/http/http-service.ts';

/** 401: no token, an unknown one, or no role for the resource. */
export const unauthorized = (message: string): HttpError => new HttpError(401, message);

/** 402: the owner is delinquent. */
export const paymentRequired = (owner: string): HttpError =>
  new HttpError(402, `The account of ${owner} is delinquent on billing; contact its owner`);

/** 403: a parameter is missing or invalid, or the request is not allowed. */
export const forbidden = (message: string): HttpError => new HttpError(403, message);

/** 404: not found, or not visible to the caller. */
export const notFound = (): HttpError => new HttpError(404, 'Resource not found!');

/** 422: a valid request that is not possible in the current state. */
export const unprocessable = (message: string): HttpError => new HttpError(422, message);

export function errorBody({ status, message }: HttpError): HttpResponse {
  const headers = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  return jsonResponse(status, { errors: [message], success: false }, { headers });
}
