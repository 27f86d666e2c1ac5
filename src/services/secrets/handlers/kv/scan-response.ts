import type { EngineResponse } from '../../engine.ts';

/** The response of a scan, all keys below a path; without any, it has no `keys`. */
export const scanResponse = (keys: string[]): EngineResponse => ({
  data: keys.length === 0 ? {} : { keys },
});
