let waiting: (() => void)[] = [];
let next: (() => void)[] = [];

/**
 * Lets other work run: resolves in a later turn of the event loop. Of all who wait, one goes on in each turn: however
 * many work in slices at the same time, a turn takes no longer than one slice.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.length === 0 && next.length === 0) setImmediate(resumeOne);
    next.push(resolve);
  });
}

function resumeOne(): void {
  // Two stacks are a queue: what is taken from is the other one, turned around.
  if (waiting.length === 0) [waiting, next] = [next.reverse(), []];
  waiting.pop()?.();
  if (waiting.length > 0 || next.length > 0) setImmediate(resumeOne);
}
