import { services } from '../../api/services.ts';
import type { Authorization, BrowserLoginOptions, LoginPage } from '../../command/input.ts';
import type { System } from '../../command/system.ts';
import { LanyardError } from '../../errors.ts';
import type { Io } from '../../io/io.ts';
import { parseDuration } from '../../wire/duration.ts';
import type { ServiceName } from '../../wire/services.ts';

interface Parts {
  readonly io: Io;
  readonly system: System;
}

/**
 * Logs in with the browser: listens on loopback, requests an authorization URL for that address, and waits for the
 * redirect of the provider.
 *
 * @param requestUrl requests the authorization URL of the service.
 * @throws LanyardError forbidden: the provider denied access; unavailable: no redirect arrived in time.
 */
export async function authorizeInBrowser(
  { service, port, opensBrowser, wait }: BrowserLoginOptions,
  requestUrl: (redirectUri: string) => Promise<string>,
  parts: Parts,
): Promise<Authorization> {
  const callback = await parts.system.listenForCallback(port);
  try {
    const { url, state } = findUrl(await requestUrl(callback.redirectUri), service);
    const { origin } = new URL(callback.redirectUri);
    await showPage(
      url,
      { opensBrowser, browser: `a browser that can reach ${origin} on this machine` },
      parts,
    );
    const query = await callback.waitForQuery(state, parseDuration(wait) ?? 300);
    return { state, code: authorizationCode(query) };
  } finally {
    await callback.close();
  }
}

/**
 * Opens the page of a login that ends at the service, or prints its URL.
 *
 * @throws LanyardError: the service sent an invalid URL.
 */
export const openLoginPage = ({ service, url, opensBrowser }: LoginPage, parts: Parts): Promise<void> =>
  showPage(findUrl(url, service).url, { opensBrowser, browser: 'a browser' }, parts);

async function showPage(
  url: string,
  { opensBrowser, browser }: { readonly opensBrowser: boolean; readonly browser: string },
  { io, system }: Parts,
): Promise<void> {
  const isOpened = opensBrowser && io.isInteractive() && (await system.openBrowser(url));
  io.noteNow(
    isOpened
      ? `Log in with the browser. If it does not open, go to this URL:\n${url}`
      : `Open this URL in ${browser}:\n${url}`,
  );
}

/** Validates the authorization URL before it is opened: it must be an http or https URL with a state. */
function findUrl(text: string, service: ServiceName): { url: string; state: string } {
  const url = URL.parse(text);
  const state = url?.searchParams.get('state');
  if (url && ['http:', 'https:'].includes(url.protocol) && state) return { url: url.href, state };
  throw new LanyardError(
    'failure',
    `unexpected response from the ${services[service].title}: invalid authorization URL`,
    { service, hint: 'The auth method must return an http or https URL with a state parameter.' },
  );
}

/** The code from the provider. @throws LanyardError: the error from the provider (OAuth 2.0, 4.1.2.1). */
function authorizationCode(query: URLSearchParams): string {
  const code = query.get('code');
  const error = query.get('error');
  if (error === null && code) return code;
  const description = query.get('error_description');
  throw new LanyardError(
    error === 'access_denied' ? 'forbidden' : 'failure',
    error === null
      ? 'the provider returned neither a code nor an error'
      : `the provider rejected the login: ${error}`,
    { details: description ? [description] : [] },
  );
}
