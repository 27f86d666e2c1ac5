import { LanyardError } from '../errors.ts';
import { type Call, type RawAnswer, unexpected } from './answer.ts';
import type { Request } from './request.ts';
import { services } from './services.ts';

const redirects = [301, 302, 303, 307, 308];
const mostHops = 5;

/**
 * Where an answer sends a request, if that may be followed: GET and HEAD, within the origin, five times at most.
 * Following any other would hand the token, or a write, to whoever the answer names.
 *
 * @param hops redirects followed so far.
 * @returns undefined: the answer is no redirect.
 * @throws LanyardError failure that names the target's origin, and nothing more of it.
 */
export function redirected(call: Call, request: Request, answer: RawAnswer, hops: number): URL | undefined {
  const { location } = answer.headers;
  if (!redirects.includes(answer.status) || location === undefined) return undefined;
  const url = URL.parse(location, request.url.href);
  if (!url) throw unexpected(call, { ...answer, text: '' }, 'a redirect to nowhere');
  const refuse = (why: string, hint?: string) =>
    new LanyardError('failure', `${call.operation.name}: ${why}`, {
      service: call.operation.service,
      status: answer.status,
      ...(hint === undefined ? {} : { hint }),
    });
  const { title } = services[call.operation.service];
  if (url.origin !== request.url.origin) {
    throw refuse(
      `the ${title} redirects to ${originOf(url)}, another origin; not followed (${answer.status})`,
      'If that is the right address, name it: with --address, or in the profile.',
    );
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw refuse(
      `the ${title} redirects a ${request.method} to ${originOf(url)}; only GET and HEAD are followed (${answer.status})`,
    );
  }
  if (hops >= mostHops) throw refuse(`the ${title} redirects more than ${mostHops} times`);
  return url;
}

function originOf(url: URL): string {
  return url.origin === 'null' ? url.protocol : url.origin;
}
