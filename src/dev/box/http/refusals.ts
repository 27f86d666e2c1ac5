import { HttpRefusal } from '../../http/service.ts';

/** 401: no token, one that is not known, or a resource that the caller's roles do not reach. */
export const unauthorised = (message: string): HttpRefusal => new HttpRefusal(401, message);

/** 402: the owner has not paid. */
export const delinquent = (owner: string): HttpRefusal =>
  new HttpRefusal(402, `The account of ${owner} is delinquent on billing; contact its owner`);

/** 403: a parameter is missing or invalid, or the system is used in a way that is not allowed. */
export const notAllowed = (message: string): HttpRefusal => new HttpRefusal(403, message);

/** 404: also of what the caller may not see. */
export const notFound = (): HttpRefusal => new HttpRefusal(404, 'Resource not found!');

/** 422: the request is well formed, and what is there does not let it be done. */
export const unprocessable = (message: string): HttpRefusal => new HttpRefusal(422, message);
