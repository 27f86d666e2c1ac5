import { splitList } from '../../../command/flag-values.ts';
import type { PublicKeyInfo } from '../../../ssh/types.ts';
import { parseDuration } from '../../../wire/duration.ts';
import { isObject } from '../../../wire/objects.ts';
import type { SshSignBody } from '../../../wire/secrets.ts';

export type Role = Readonly<Record<string, unknown>>;

export interface Question {
  readonly role: Role;
  readonly request: Omit<SshSignBody, 'public_key'>;
  /** Undefined: not known. */
  readonly key: PublicKeyInfo | undefined;
  /** The key of the CA; undefined: the CA does not exist. */
  readonly ca: PublicKeyInfo | undefined;
  /** The lifetimes of the mount, used if the role has none; undefined: they cannot be read. */
  readonly mount: MountLifetimes | undefined;
}

/** Seconds; 0: the default of the service. */
export interface MountLifetimes {
  readonly defaultTtl: number;
  readonly maxTtl: number;
}

export interface Judgement {
  readonly rule: string;
  /** `depends`: on the identity of the token, which only the service knows. */
  readonly verdict: 'no' | 'depends';
  readonly why: string;
  /** How to change the request or the role. */
  readonly remedy: string;
}

export type Rule = (question: Question) => Judgement | undefined;

export function rejection(rule: string, why: string, remedy: string): Judgement {
  return { rule, verdict: 'no', why, remedy };
}

/** A verdict that only the service can give. */
export function dependsOnToken(rule: string, why: string): Judgement {
  return { rule, verdict: 'depends', why, remedy: 'Run `lanyard ssh sign` to find out.' };
}

/** Whether the role is of OpenBao: only its roles name their issuer. */
export const isOpenBaoRole = (role: Role): boolean => role.issuer_ref !== undefined;

export const text = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : '';
export const items = (value: unknown): string[] => [...new Set(splitList(text(value)))];
export const map = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? { ...value } : {};
export const seconds = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? (parseDuration(value) ?? 0) : 0;
/** Whether the value has a template, which the service fills in with the identity of the token. */
export const isTemplate = (value: unknown): boolean => typeof value === 'string' && /\{\{.+?\}\}/.test(value);

export const kindOf = ({ request }: Pick<Question, 'request'>): string => request.cert_type ?? 'user';
