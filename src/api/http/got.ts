import type { Request } from './request.ts';

export type GotError = import('got').RequestError;
export type GotResponse = import('got').Response<unknown>;
export type Redirect = import('got').PlainResponse;
export type RequestBefore = Pick<Request, 'method' | 'url'>;

let loaded: Promise<typeof import('got')> | undefined;

/** Loads got with the first request. An `import()` in a bundle copies the exports of the module every time. */
export async function loadGot() {
  loaded ??= import('got');
  return (await loaded).default;
}

/** The request that was redirected. */
export const requestBefore = ({ request: { options } }: Redirect): RequestBefore => ({
  method: options.method,
  url: options.url as URL,
});
