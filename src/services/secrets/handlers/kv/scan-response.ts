import * as s from '../../../core/schema/types.ts';
import type { EngineResponse } from '../../engine.ts';

/** The keys of a list or scan: a scan without keys has no data. */
export const scanned = s.object(s.partial({ keys: s.list(s.string()) }));

/** The response of a scan, all keys below a path; without any, it has no `keys`. */
export const scanResponse = (keys: string[]): EngineResponse => ({
  data: keys.length === 0 ? {} : { keys },
});
