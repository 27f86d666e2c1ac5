let waiting: (() => void)[] = [];
let next: (() => void)[] = [];

/** Resolves in a later iteration of the event loop: one waiting task in each, so that none takes longer than a slice. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.length === 0 && next.length === 0) setImmediate(resumeOne);
    next.push(resolve);
  });
}

function resumeOne(): void {
  // A queue made of two stacks: when the output stack is empty, the input stack is reversed into it.
  if (waiting.length === 0) [waiting, next] = [next.reverse(), []];
  waiting.pop()?.();
  if (waiting.length > 0 || next.length > 0) setImmediate(resumeOne);
}
