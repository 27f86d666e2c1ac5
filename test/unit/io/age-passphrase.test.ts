import { Decrypter, Encrypter } from 'age-encryption';
import { expect, test } from 'vitest';
import { passphraseIdentity, passphraseRecipient } from '../../../src/io/age-passphrase.ts';

const encrypted = (workFactor: number) => {
  const encrypter = new Encrypter();
  encrypter.setPassphrase('horse');
  encrypter.setScryptWorkFactor(workFactor);
  return encrypter.encrypt('text');
};
const decrypted = (bytes: Uint8Array, passphrase: string) => {
  const decrypter = new Decrypter();
  decrypter.addIdentity(passphraseIdentity(passphrase));
  return decrypter.decrypt(bytes, 'text');
};

test('the library decrypts what is encrypted with a passphrase', async () => {
  const encrypter = new Encrypter();
  encrypter.addRecipient(passphraseRecipient('horse'));
  const decrypter = new Decrypter();
  decrypter.addPassphrase('horse');
  expect(await decrypter.decrypt(await encrypter.encrypt('text'), 'text')).toBe('text');
});

test('a file of the library is decrypted with its passphrase only', async () => {
  const bytes = await encrypted(2);
  expect(await decrypted(bytes, 'horse')).toBe('text');
  await expect(decrypted(bytes, 'house')).rejects.toThrow('no identity matched');
});

test.each(['21', '02', '0', '1e1', '200'])('the work factor %s is rejected', async (workFactor) => {
  const text = Buffer.from(await encrypted(2)).toString('latin1');
  const changed = text.replace(/^(-> scrypt \S+) 2$/m, `$1 ${workFactor}`);
  expect(changed).not.toBe(text);
  await expect(decrypted(Buffer.from(changed, 'latin1'), 'horse')).rejects.toThrow('invalid scrypt stanza');
});
