import type { TransportOptions } from '../endpoint.ts';
import type { Call } from './response.ts';
import type { CallTrace } from './trace.ts';

/** The trace of a call; its module is loaded only where there is one. */
export async function traceOf(
  { operation, secrets }: Call,
  { trace }: Pick<TransportOptions, 'trace'>,
): Promise<CallTrace | undefined> {
  if (!trace) return undefined;
  const { CallTrace } = await import('./trace.ts');
  return new CallTrace(trace, operation, secrets);
}
