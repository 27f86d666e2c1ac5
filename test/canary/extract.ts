import { parse } from 'node:querystring';
import type { Canary, CanaryName } from './scan.ts';
import type { Exchange } from './trials.ts';

const byName: Readonly<Record<string, CanaryName>> = {
  client_token: 'issued',
  SecretID: 'issued',
  token: 'issued',
  token_id: 'token ID',
  BearerToken: 'JWT',
  jwt: 'JWT',
  secret_id: 'secret ID',
  private_key: 'private key',
  password: 'password',
  current_password: 'password',
  new_password: 'new password',
  otp: 'one-time password',
};

/** Shorter ones are words of the scenario. */
const shortest = 12;

/** The secrets that a request and its response hold, by the names of their fields in the five services. */
export function secretsInExchange({ body, reply, headers }: Exchange): readonly Canary[] {
  const token = Object.entries(headers).find(([name]) => /token$/.test(name))?.[1];
  const bearer = /^Bearer (.*)$/.exec(String(headers.authorization))?.[1];
  return [
    ...[token, bearer].flatMap((value) =>
      typeof value === 'string' && value.length >= shortest ? [{ name: 'token', value } as const] : [],
    ),
    ...[body, String(reply.body)].flatMap((text) => secretsIn(parsed(text))),
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parse(text);
  }
}

function secretsIn(value: unknown): readonly Canary[] {
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member !== 'string') return secretsIn(member);
    const isPassword = name === 'key' && (value as { key_type?: unknown }).key_type === 'otp';
    const kind = isPassword ? 'one-time password' : byName[name];
    return kind && member.length >= shortest ? [{ name: kind, value: member }] : [];
  });
}
