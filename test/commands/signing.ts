import { beforeAll, beforeEach } from 'vitest';
import { embeddedForAll } from '../support/command-tests.ts';
import { type KeyPair, type KeyType, keyPair } from '../support/keys.ts';
import type { Home, Ran, RunOptions } from '../support/run.ts';
import type { TestServices } from '../support/services.ts';

/** A home whose services have a CA and the role "deploy", and whose user has an ed25519 key. */
export interface Signing {
  readonly at: Home;
  readonly services: TestServices;
  /** The user's key, `.ssh/id_ed25519`. */
  readonly key: KeyPair;
  run(argv: string, options?: RunOptions): Promise<Ran>;
  /** Runs what must succeed without a word on stderr; gives stdout. */
  done(argv: string, options?: RunOptions): Promise<string>;
}

/**
 * Sets up, for the tests of a file, services with an ed25519 CA and a role "deploy" (users ubuntu and admin, by
 * default ubuntu, a pty, half an hour). The user's key is there anew, alone in `.ssh`, before each test.
 */
export function signing(): Signing {
  const { at, running, run, done } = embeddedForAll();
  const key = keyPair('ed25519');
  beforeAll(async () => {
    await done('ssh ca create --key-type ed25519');
    await done(
      'ssh role put deploy --allow-user-certificates --allowed-users ubuntu,admin --default-user ubuntu --default-extension permit-pty --ttl 30m',
    );
  });
  beforeEach(() => {
    at.clear('.ssh');
    writeKey(at, '.ssh/id_ed25519', key);
  });
  return { at, services: running, key, run, done };
}

/** Writes a pair as `NAME` and `NAME.pub`; gives the path of the public half. */
export function writeKey(at: Home, name: string, pair: KeyPair): string {
  at.write(name, pair.privatePem);
  return at.write(`${name}.pub`, pair.publicLine, 0o644);
}

/** Makes a key of a type, and writes it as `NAME` and `NAME.pub`. */
export function makeKey(at: Home, name: string, type: KeyType): KeyPair {
  const pair = keyPair(type);
  writeKey(at, name, pair);
  return pair;
}
