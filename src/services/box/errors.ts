import { HttpError, type HttpResponse, jsonResponse } from '../core/http/http-service.ts';

/** 401: no token, one that is not known, or a resource that the caller's roles do not reach. */
export const unauthorized = (message: string): HttpError => new HttpError(401, message);

/** 402: the owner has not paid. */
export const paymentRequired = (owner: string): HttpError =>
  new HttpError(402, `The account of ${owner} is delinquent on billing; contact its owner`);

/** 403: a parameter is missing or invalid, or the system is used in a way that is not allowed. */
export const forbidden = (message: string): HttpError => new HttpError(403, message);

/** 404: also of what the caller may not see. */
export const notFound = (): HttpError => new HttpError(404, 'Resource not found!');

/** 422: the request is well formed, and what is there does not let it be done. */
export const unprocessable = (message: string): HttpError => new HttpError(422, message);

/** The body of every error. */
export function errorBody({ status, message }: HttpError): HttpResponse {
  const headers = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  return jsonResponse(status, { errors: [message], success: false }, { headers });
}
