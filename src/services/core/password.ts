import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { HttpError } from './http/http-service.ts';
import * as s from './schema/types.ts';
import { Semaphore } from './semaphore.ts';

/** A stored password: salt and scrypt hash, base64, with the cost parameter. */
export const passwordHash = s.object({ salt: s.string(), hash: s.string(), cost: s.number() });
export type PasswordHash = s.Stored<typeof passwordHash>;

const defaultCost = 2 ** 15;
/** For generated passwords: they are too random to guess at any cost. */
export const generatedPasswordCost = 2 ** 10;
const hashBytes = 32;

/** Shared by all services, like the threads: password guesses cannot occupy all of them. */
const hashSemaphore = new Semaphore(
  { concurrency: 2, maxQueued: 64 },
  () => new HttpError(429, 'Too many passwords are being checked; try again later.'),
);

const scryptOf = promisify(
  (
    password: string,
    salt: Uint8Array,
    options: ScryptOptions,
    done: (error: Error | null, hash: Buffer) => void,
  ) => scrypt(password, salt, hashBytes, options, done),
);

/** Runs off the event loop: about 32 MiB and some tens of milliseconds. */
function derive(password: string, salt: Uint8Array, scryptCost: number): Promise<Buffer> {
  const options = { N: scryptCost, r: 8, p: 1, maxmem: 256 * scryptCost * 8 };
  return hashSemaphore.run(() => scryptOf(password.normalize('NFC'), salt, options));
}

/** @throws HttpError 429: too many passwords are being hashed */
export async function hashPassword(
  password: string,
  random: (length: number) => Uint8Array,
  scryptCost = defaultCost,
): Promise<PasswordHash> {
  const salt = random(16);
  const hash = await derive(password, salt, scryptCost);
  return { salt: Buffer.from(salt).toString('base64'), hash: hash.toString('base64'), cost: scryptCost };
}

/**
 * Takes equally long without a hash, so that the time does not reveal whether a user exists.
 * @param scryptCost the cost without a hash: as for the hashes of other users
 * @throws HttpError 429: too many passwords are being hashed
 */
export async function passwordMatches(
  password: string,
  stored: PasswordHash | null | undefined,
  scryptCost = defaultCost,
): Promise<boolean> {
  const salt = Buffer.from(stored?.salt ?? '', 'base64');
  const hash = await derive(password, salt, stored?.cost ?? scryptCost);
  return !!stored && timingSafeEqual(hash, Buffer.from(stored.hash, 'base64'));
}
