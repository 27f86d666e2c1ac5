import { LanyardError } from '../../errors.ts';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { blockingMs } from '../operation.ts';
import { services } from '../services.ts';
import { readingActive } from './active-reads.ts';
import { clusterOf } from './cluster.ts';
import { homeOf } from './connection.ts';
import { decodeResponse } from './decode-response.ts';
import { Exchange } from './exchange.ts';
import { afterForwarding } from './network-error.ts';
import { callOf, type Request, requestOf, withHeaders } from './request.ts';
import type { Send, SendFrom } from './response.ts';
import { traceOf } from './trace-of.ts';

/**
 * Creates the function that sends operations to one service.
 *
 * Connections are kept for the next call of the process, and do not keep the process alive: they need not be closed.
 * Each write has its own connection, because the other side may close a kept one at the moment of writing, and that
 * cannot be distinguished from a lost response.
 *
 * @throws LanyardError, of every kind but `usage` after something was sent; see `requestOf`, `tokenFor`, `connect`
 * for what is rejected before, `failure` and `networkFailure` for what comes after.
 */
export function transport(endpoint: Endpoint, options: TransportOptions): Send {
  const cluster = clusterOf(endpoint, options);
  const send: SendFrom = async (operation, input, onResponder) => {
    const { call, request: own, headers } = await callOf(endpoint, operation, input);
    if (endpoint.skipVerify && homeOf(endpoint).protocol === 'https:') {
      options.warn(
        `the certificate of the ${services[endpoint.service].title} is not verified: connections can be intercepted`,
      );
    }
    options.sent?.(call.secrets);
    const requestAt = (server: Endpoint): Request => {
      const request = server.address === endpoint.address ? own : requestOf(server, operation, input);
      return withHeaders(request, { 'User-Agent': options.userAgent, ...headers });
    };
    const timeoutMs = options.timeout + blockingMs(operation, input);
    const trace = await traceOf(call, options);
    const exchange = new Exchange(cluster, call, requestAt, trace);
    try {
      const response = await exchange.send(timeoutMs);
      return { ...(await decodeResponse(operation, call, response)), address: exchange.address };
    } catch (thrown) {
      if (!(thrown instanceof LanyardError)) throw thrown;
      const error = exchange.mayBeApplied ? afterForwarding(call, thrown) : thrown;
      if (!endpoint.namesRequests) throw error;
      const { withRequest } = await import('../shown-request.ts');
      throw withRequest(error, operation, input, call.secrets);
    } finally {
      onResponder?.(exchange.address);
    }
  };
  return endpoint.service === 'secrets' ? readingActive(send, endpoint, cluster.servers, options) : send;
}
