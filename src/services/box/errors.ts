import { HttpError } from '../core/http/http-service.ts';

/** 401: no token, an unknown one, or no role for the resource. */
export const unauthorized = (message: string): HttpError => new HttpError(401, message);

/** 402: the owner is delinquent. */
export const paymentRequired = (owner: string): HttpError =>
  new HttpError(402, `The account of ${owner} is delinquent on billing; contact its owner`);

/** 403: a parameter is missing or invalid, or the request is not permitted. */
export const forbidden = (message: string): HttpError => new HttpError(403, message);

/** 404: also for resources that the caller may not see. */
export const notFound = (): HttpError => new HttpError(404, 'Resource not found!');

/** 422: the request is well formed, but conflicts with the current state. */
export const unprocessable = (message: string): HttpError => new HttpError(422, message);
