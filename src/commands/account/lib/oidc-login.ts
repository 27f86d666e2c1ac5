import type { Login } from '../../../api/accounts.ts';
import { isInactiveAuthMethod, isInvalidId, isUnusableIssuer } from '../../../api/conditions/accounts.ts';
import { hasStatus } from '../../../api/conditions/any.ts';
import type { Context } from '../../../command/context.ts';
import type { BrowserLoginOptions } from '../../../command/input.ts';
import { LanyardError } from '../../../errors.ts';
import { parseDuration } from '../../../wire/duration.ts';
import { describeMissingMethod } from './errors.ts';
import { describeUnknownLogin } from './password-login.ts';

interface OidcLogin extends Pick<BrowserLoginOptions, 'opensBrowser' | 'wait'> {
  readonly id: string;
}

/** Milliseconds between two requests for the token. */
const pollMs = 1000;

/**
 * Logs in with the browser: the provider redirects it to the service, which is asked for the token until the login is
 * completed. The service does not report a login that the provider or the service rejects: it stays incomplete.
 *
 * @throws LanyardError unavailable: the login was not completed in time; interrupted.
 */
export async function logInWithBrowser({ id, opensBrowser, wait }: OidcLogin, ctx: Context): Promise<Login> {
  const accounts = await ctx.api.accounts();
  const { body } = await accounts.startOidcLogin({ id, command: 'start' }).catch(describeStartError(id));
  const { auth_url: url, token_id } = body.attributes;
  await ctx.input.openLoginPage({ service: 'accounts', url, opensBrowser });
  const { clock, signal } = ctx.system;
  const seconds = parseDuration(wait) ?? 300;
  const endMs = clock().getTime() + seconds * 1000;
  for (;;) {
    const leftMs = endMs - clock().getTime();
    if (leftMs <= 0) throw timeoutError(`not completed in the browser within ${seconds} s`);
    await ctx.system.sleep(Math.min(pollMs, leftMs));
    if (signal.aborted) throw new LanyardError('interrupted', 'interrupted while waiting for the browser');
    const response = await accounts
      .requestOidcToken({ id, command: 'token', type: 'token', attributes: { token_id } })
      .catch(describeTokenError(id));
    if (response.body) return response.body;
  }
}

const timeoutError = (cause: string, error?: LanyardError): LanyardError =>
  new LanyardError('unavailable', `login timed out: ${cause}`, {
    ...error,
    service: 'accounts',
    retryable: true,
    hint: 'Log in again. If the login was rejected, the browser shows why.',
  });

const describeStartError =
  (method: string) =>
  (error: unknown): never => {
    if (isInactiveAuthMethod(error))
      throw new LanyardError('failure', `cannot log in: auth method "${method}" is inactive (400)`, {
        ...error,
        details: [],
        hint: 'An administrator can activate it with the action change-state.',
      });
    if (isUnusableIssuer(error))
      throw new LanyardError(
        'failure',
        `cannot log in: the service cannot use the issuer of auth method "${method}" (400)`,
        {
          ...error,
          hint: 'Check that the issuer of the auth method is correct and that the service can reach it.',
        },
      );
    return describeMethodError(method)(error);
  };

const describeTokenError =
  (method: string) =>
  (error: unknown): never => {
    // The service rejects the request for the token in the same way as a caller without permission.
    if (hasStatus(error, 403)) throw timeoutError('the service no longer accepts it (403)', error);
    return describeMethodError(method)(error);
  };

const describeMethodError =
  (method: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError)) throw error;
    if (error.kind === 'not_found' || isInvalidId(error)) return describeMissingMethod(method)(error);
    throw describeUnknownLogin(error);
  };
