import * as s from '../../core/schema/types.ts';

export const text = (description: string) => s.optional(s.string(description));
export const flag = (description: string) => s.optional(s.boolean(description));
export const integer = (description: string) => s.optional(s.integer(description));
export const duration = (description: string) => s.optional(s.duration(description));
export const list = (description: string) => s.optional(s.list(s.string(), description));
export const object = (description: string) => s.optional(s.anyObject(description));
export const { required } = s;
