/** Aborts `delay` milliseconds after another signal. */
export function abortLater(signal: AbortSignal, delay: number): AbortSignal {
  const controller = new AbortController();
  const start = (): void => {
    setTimeout(() => controller.abort(signal.reason), delay).unref();
  };
  if (signal.aborted) start();
  else signal.addEventListener('abort', start, { once: true });
  return controller.signal;
}
