import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { HttpRefusal } from './http/service.ts';
import { Turns } from './turns.ts';

/** A stored password: salt and scrypt hash, base64, with the cost parameter. */
export interface PasswordHash {
  readonly salt: string;
  readonly hash: string;
  readonly cost: number;
}

const cost = 2 ** 15;
/** For generated passwords: they are too random to guess at any cost. */
export const costOfMadeUp = 2 ** 10;
const hashBytes = 32;

/**
 * Shared by all services of the process, like its threads: password guesses cannot occupy all of them, so
 * files are read and keys generated meanwhile.
 */
const turns = new Turns(
  { atOnce: 2, waiting: 64 },
  () => new HttpRefusal(429, 'Too many passwords are being checked; try again later.'),
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
function derive(password: string, salt: Uint8Array, at: number): Promise<Buffer> {
  const options = { N: at, r: 8, p: 1, maxmem: 256 * at * 8 };
  return turns.take(() => scryptOf(password.normalize('NFC'), salt, options));
}

/** @throws HttpRefusal 429: too many passwords are being hashed */
export async function hashPassword(
  password: string,
  random: (length: number) => Uint8Array,
  at = cost,
): Promise<PasswordHash> {
  const salt = random(16);
  const hash = await derive(password, salt, at);
  return { salt: Buffer.from(salt).toString('base64'), hash: hash.toString('base64'), cost: at };
}

/**
 * Takes equally long without a hash, so that the time does not reveal whether a user exists.
 * @throws HttpRefusal 429: too many passwords are being hashed
 */
export async function passwordMatches(
  password: string,
  known: PasswordHash | null | undefined,
): Promise<boolean> {
  const salt = Buffer.from(known?.salt ?? '', 'base64');
  const hash = await derive(password, salt, known?.cost ?? cost);
  return !!known && timingSafeEqual(hash, Buffer.from(known.hash, 'base64'));
}
