import { LanyardError } from '../errors.ts';
import type { ServiceName } from '../wire/services.ts';
import type { Endpoint } from './endpoint.ts';
import { headersOf, isFiltered } from './filtered-results.ts';
import type { Send } from './http/response.ts';
import type { Operation } from './operation.ts';
import { services } from './services.ts';
import type { TokenCheck } from './token-check.ts';

/**
 * A `Send` that does not return the result of an anonymous caller for a call with a token: registry and scheduler respond
 * to an unknown token with an empty list, or with "not found". After such a response to a call with a token, the token is
 * checked, once for all calls.
 *
 * @param note called after an empty list that may be incomplete, once: without a token if access control is on, and
 * from the scheduler with a token that is not one of management.
 * @throws LanyardError unauthenticated: the service does not know the token.
 */
export function confirmingIdentity(
  send: Send,
  endpoint: Endpoint,
  note: (message: string) => void = () => {},
): Send {
  const { service } = endpoint;
  // The other services report a missing or invalid token; a box registry is public.
  if (service !== 'registry' && service !== 'scheduler') return send;
  let check: Promise<TokenCheck> | undefined;
  let noted: Promise<void> | undefined;
  const confirm = async (operation: Operation<never, unknown>, input: object): Promise<void> => {
    if (operation.token === 'none') return;
    const token = await endpoint.token();
    if (!token) return;
    const dc = (input as { dc?: string }).dc ?? operation.fixedQuery?.find(([name]) => name === 'dc')?.[1];
    check ??= import('./identity.ts').then(({ checkToken }) => checkToken(send, service, token, dc));
    const { isAnonymous, problem } = await check;
    if (isAnonymous) throw anonymous(operation.name, endpoint, problem ?? '');
  };
  /** Says once that more may exist than an empty list shows. */
  const noteLimits = async (headers: ResponseHeaders): Promise<void> => {
    if (await endpoint.token()) {
      if ((await check)?.isLimited) note(limitedText);
      return;
    }
    const { defaultPolicy, isAnonymousCaller } = await import('./identity.ts');
    const policy = defaultPolicy(headers);
    const isDenied = policy === undefined ? await isAnonymousCaller(send, service) : policy === 'deny';
    if (isDenied) note(anonymousText(service));
  };
  const noteOnce = async (headers: ResponseHeaders): Promise<void> => {
    // The registry says so itself.
    if (isFiltered(headers)) return;
    noted ??= noteLimits(headers);
    await noted;
  };
  return async (operation, input) => {
    try {
      const response = await send(operation, input);
      if (operation.retry !== 'read' || !isEmpty(response.body)) return response;
      await confirm(operation, input);
      if (operation.token !== 'none') await noteOnce(response.headers);
      return response;
    } catch (error) {
      if (!(error instanceof LanyardError) || error.kind !== 'not_found') throw error;
      await confirm(operation, input);
      // The registry has no empty list of keys.
      if (operation.name.startsWith('list ')) await noteOnce(headersOf(error));
      throw error;
    }
  };
}

type ResponseHeaders = Readonly<Record<string, string | undefined>>;

const limitedText =
  'the list may be incomplete: the scheduler leaves out what the token may not list, and it is not a management token';

/** The note for a caller without a token. */
export const anonymousText = (service: ServiceName): string =>
  `no token was sent, and the ${services[service].title} shows anonymous callers only what they may read`;

/** Whether a response has no results: an empty list, or an object with an empty list of results. */
function isEmpty(body: unknown): boolean {
  if (body === undefined || body === null) return true;
  if (Array.isArray(body)) return body.length === 0;
  if (typeof body !== 'object') return false;
  const names = Object.keys(body);
  const results = names.find((name) => name === 'Nodes' || name === 'Results');
  return results === undefined
    ? names.length === 0
    : isEmpty((body as Readonly<Record<string, unknown>>)[results]);
}

function anonymous(
  name: string,
  { service, headerPrefixes, tokenSource }: Endpoint,
  problem: string,
): LanyardError {
  const from =
    tokenSource && 'variable' in tokenSource ? tokenSource.variable : (tokenSource?.words ?? 'the token');
  const headers = headerPrefixes.map((prefix) => `${prefix}-Token`).join(' and ');
  return new LanyardError('unauthenticated', `cannot ${name}: ${problem}`, {
    service,
    details: [`The token was sent as ${headers}. What anonymous callers get is not shown.`],
    hint:
      headerPrefixes.length > 1
        ? `Check ${from}: it may have expired or belong to another cluster. Run \`lanyard status\` to see which token is used.`
        : `Remove header-prefix from the profile to send both header names, and check ${from}.`,
  });
}
