import { LanyardError } from '../errors.ts';
import type { ServiceName } from '../wire/services.ts';
import type { Body } from './operation.ts';
import { type Call, effectDetails } from './response.ts';
import { isNotProcessed } from './response-conditions.ts';
import { isRepeatable } from './retry.ts';
import { services } from './services.ts';

/**
 * Does a status leave open what became of a write? A gateway that got no response from the service behind it cannot say
 * what the service did, and neither can a service that waited too long for another one.
 */
export function isLostInGateway({ operation }: Call, status: number): boolean {
  return (status === 502 || status === 503 || status === 504) && !isRepeatable(operation.retry);
}

/** Is this the 503 of a service that says that it did not look at the request? */
export function isOwnUnavailability(
  service: ServiceName,
  status: number,
  body: Body,
  messages: readonly string[],
): boolean {
  const isPlain = typeof body === 'string';
  return status === 503 && isNotProcessed(service, messages.join('\n'), isPlain);
}

/** The failure of a write whose outcome is not known. */
export function lostInGateway(
  { operation }: Call,
  status: number,
  messages: readonly string[],
): LanyardError {
  const { title } = services[operation.service];
  return new LanyardError(
    'unknown',
    `${operation.name}: outcome unknown: the ${title}, or a gateway in front of it, did not complete the request (${status})`,
    {
      service: operation.service,
      status,
      details: [...messages, ...effectDetails(operation)],
      hint: 'Check the current state before you retry.',
    },
  );
}
