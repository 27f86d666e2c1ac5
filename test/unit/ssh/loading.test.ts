import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { wireString } from '../../../src/ssh/wire-format.ts';
import { lineOf } from './keygen.ts';

const line = lineOf('ssh-ed25519', wireString(Buffer.alloc(32, 7)));

/** Runs a statement with `keys` in a process of its own; is sshpk loaded afterwards? */
function loadsSshpk(statement: string): boolean {
  const script = `
    import { createRequire } from 'node:module';
    import { keys } from './src/ssh/keys.ts';
    ${statement};
    const { cache } = createRequire(import.meta.url);
    console.log(Object.keys(cache).some((path) => path.includes('sshpk')));`;
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
  return execFileSync(process.execPath, options, { encoding: 'utf8' }).trim() === 'true';
}

const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });

test.each([
  ['checking a public key', `keys.readPublicKey(${JSON.stringify(line)}, 'id.pub')`],
  ['generating a key', `await keys.readPrivateKey(keys.generate('').privateKey, 'id')`],
])('%s does not load sshpk', (_, statement) => {
  expect(loadsSshpk(statement)).toBe(false);
});

test('reading a PEM key does', () => {
  expect(loadsSshpk(`await keys.readPrivateKey(${JSON.stringify(pem)}, 'id')`)).toBe(true);
});
