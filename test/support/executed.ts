import { Session } from 'node:inspector/promises';

/** Started once: V8 counts exactly only code that it has not optimized before. */
let started: Promise<Session> | undefined;

async function start(): Promise<Session> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return session;
}

/**
 * How often the most executed block of code of all modules is executed while some work is done: a measure of work that
 * does not depend on the machine. Code must not have run much before the first call.
 */
export async function maxExecutions(work: () => Promise<unknown>): Promise<number> {
  started ??= start();
  const session = await started;
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const blocks = result.flatMap(({ functions }) => functions).flatMap(({ ranges }) => ranges);
  return blocks.reduce((most, { count }) => Math.max(most, count), 0);
}
