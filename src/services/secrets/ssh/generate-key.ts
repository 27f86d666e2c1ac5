import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { Curve } from './curves.ts';

// The callback form runs on the thread pool, so that key generation does not block the event loop.
const generateAsync = promisify(generateKeyPair);

export async function generateRsa(bits: number): Promise<KeyObject> {
  return (await generateAsync('rsa', { modulusLength: bits })).privateKey;
}

export async function generateOnCurve(curve: Curve): Promise<KeyObject> {
  return (await generateAsync('ec', { namedCurve: curve.openssl })).privateKey;
}

export async function generateEd25519(): Promise<KeyObject> {
  return (await generateAsync('ed25519')).privateKey;
}
