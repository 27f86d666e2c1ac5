import { isAccepted, type Operation } from '../operation.ts';
import { redact } from '../redaction.ts';
import {
  type Call,
  firstLine,
  type RawResponse,
  readBody,
  type ServiceResponse,
  unexpectedResponse,
} from './response.ts';

/**
 * Checks and decodes the response to an operation.
 *
 * @throws LanyardError as `failure` and `unexpectedResponse`: a status that the operation does not accept, a body that
 * violates the specification.
 */
export async function decodeResponse<Input, Output>(
  operation: Operation<Input, Output>,
  call: Call,
  response: RawResponse,
): Promise<ServiceResponse<Output>> {
  const { status, headers } = response;
  if (!isAccepted(operation, status)) {
    if (status < 400) throw unexpectedResponse(call, response, 'which this operation does not have');
    const { failure } = await import('../failures.ts');
    throw failure(call, response);
  }
  try {
    const body = operation.decode(readBody(response, operation.exact), status);
    return { status, headers, body, ...(operation.exact && response.bytes ? { bytes: response.bytes } : {}) };
  } catch (error) {
    throw unexpectedResponse(call, response, firstLine(redact((error as Error).message, call.secrets)));
  }
}
