import { expect, test } from 'vitest';
import { SentSecrets } from '../../../src/cli/clients/sent-secrets.ts';

test('hides the secrets of the latest requests, and all of the last one', () => {
  const sent = new SentSecrets(2);
  sent.add(['secret-1', 'secret-2']);
  sent.add(['secret-3']);
  expect(sent.redact('secret-1 secret-2 secret-3')).toBe('<redacted> <redacted> <redacted>');
  sent.add(['secret-1']);
  sent.add(['secret-4']);
  expect(sent.redact('secret-1 secret-2 secret-3 secret-4')).toBe(
    '<redacted> secret-2 <redacted> <redacted>',
  );
  sent.add(['secret-5', 'secret-6', 'secret-7', 'secret-8']);
  expect(sent.redact('secret-5 secret-6 secret-7 secret-8')).not.toContain('secret');
});
