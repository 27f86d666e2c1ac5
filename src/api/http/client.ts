import { setFlagsFromString } from 'node:v8';
import { LanyardError } from '../../errors.ts';
import { getOrCreate } from '../../wire/maps.ts';
import { readingActive } from '../active-reads.ts';
import type { Endpoint, TransportOptions } from '../endpoint.ts';
import { blockingMs, isAccepted, type Operation } from '../operation.ts';
import { redact } from '../redaction.ts';
import { callOf, type Request, requestOf, withHeaders } from '../request.ts';
import { services } from '../services.ts';
import { type Connection, connect, homeOf, Servers } from './connection.ts';
import { CallExchange } from './exchange.ts';
import {
  type Call,
  firstLine,
  type RawResponse,
  readBody,
  type Send,
  type SendFrom,
  type ServiceResponse,
  unexpectedResponse,
} from './response.ts';

/**
 * Creates the function that sends operations to one service.
 *
 * Connections are made with the first request to each server, and kept for the next call of the process. They do not keep
 * the process alive: they need not be closed. Each write has its own connection, because the other side may close a kept
 * one at the moment of writing, and that cannot be distinguished from a lost response.
 *
 * @throws LanyardError, of every kind but `usage` after something was sent; see `requestOf`, `tokenFor`, `connect`
 * for what is rejected before, `failure` and `networkFailure` for what comes after.
 */
export function transport(endpoint: Endpoint, options: TransportOptions): Send {
  // Objects of requests live as long as the response takes: V8 would let their space grow to 100 MiB, more on a busier
  // machine, and not collect sooner.
  if (options.isForMany) setFlagsFromString('--semi-space-growth-factor=1');
  const servers = new Servers(endpoint);
  const connections = new Map<string, Promise<Connection>>();
  const connectTo = (server: Endpoint): Promise<Connection> =>
    getOrCreate(connections, server.address, () => connect(server, homeOf(server), options));
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
    const trace =
      options.trace &&
      new (await import('../debug-log.ts')).CallTrace(options.trace, operation, call.secrets);
    const exchange = new CallExchange({ call, requestAt, servers, connectTo, options, trace, timeoutMs });
    try {
      return { ...(await decoded(operation, call, await exchange.response())), address: exchange.address };
    } catch (thrown) {
      if (!(thrown instanceof LanyardError)) throw thrown;
      const error = exchange.mayBeApplied
        ? (await import('../network-errors.ts')).afterForwarding(call, thrown)
        : thrown;
      if (!endpoint.namesRequests) throw error;
      const { withRequest } = await import('../shown-request.ts');
      throw withRequest(error, operation, input, call.secrets);
    } finally {
      onResponder?.(exchange.address);
    }
  };
  return endpoint.service === 'secrets' ? readingActive(send, endpoint, servers, options) : send;
}

/**
 * Checks and decodes the response to an operation.
 *
 * @throws LanyardError as `failure` and `unexpectedResponse`: a status that the operation does not accept, a body that
 * violates the specification.
 */
async function decoded<Input, Output>(
  operation: Operation<Input, Output>,
  call: Call,
  response: RawResponse,
): Promise<ServiceResponse<Output>> {
  const { status, headers, bytes } = response;
  if (!isAccepted(operation, status)) {
    if (status < 400) throw unexpectedResponse(call, response, 'which this operation does not have');
    const { failure } = await import('../failures.ts');
    throw failure(call, response);
  }
  try {
    const body = operation.decode(readBody(response, operation.exact), status);
    return { status, headers, body, ...(operation.exact && bytes ? { bytes } : {}) };
  } catch (error) {
    throw unexpectedResponse(call, response, firstLine(redact((error as Error).message, call.secrets)));
  }
}
