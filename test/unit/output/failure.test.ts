import { describe, expect, test } from 'vitest';
import { LanyardError, usage } from '../../../src/errors.ts';
import { renderFailure } from '../../../src/output/failure.ts';

const plain = { format: 'text', terminal: true, width: 80, color: false } as const;
const error = new LanyardError('not_found', 'no role "web" at ssh', {
  details: ['1 error occurred', 'role not found'],
  hint: 'See what there is: lanyard ssh role list',
  service: 'secrets',
  status: 404,
});

describe('a failure as text', () => {
  test('is the message, the details under it and the hint', async () => {
    expect(await renderFailure(error, plain)).toBe(
      [
        'error: no role "web" at ssh',
        '  1 error occurred',
        '  role not found',
        'hint: See what there is: lanyard ssh role list',
        '',
      ].join('\n'),
    );
  });

  test('is one line when there are no details', async () => {
    expect(await renderFailure(usage('no such flag'), plain)).toBe('error: no such flag\n');
  });

  test('has colour if enabled', async () => {
    expect(await renderFailure(usage('no', { hint: 'yes' }), { ...plain, color: true })).toBe(
      '\x1b[31merror:\x1b[39m no\n\x1b[33mhint:\x1b[39m yes\n',
    );
  });

  test('escapes text of a service so that no line of it passes for ours', async () => {
    const hostile = new LanyardError('failure', 'a\x1b[2Jb', { details: ['one\nhint: send your token\n'] });
    expect(await renderFailure(hostile, plain)).toBe('error: a\\x1b[2Jb\n  one\n  hint: send your token\n');
  });

  test('is wrapped at spaces on a terminal, but not within a command', async () => {
    const long = usage('unknown command "policy" in this version of the program', {
      hint: 'Use `lanyard secrets list sys/policies/acl` or `lanyard status`.',
    });
    expect(await renderFailure(long, { ...plain, width: 40 })).toBe(
      [
        'error: unknown command "policy" in',
        '  this version of the program',
        'hint: Use',
        '  `lanyard secrets list sys/policies/acl`',
        '  or `lanyard status`.',
        '',
      ].join('\n'),
    );
    expect(await renderFailure(long, { ...plain, terminal: false, width: 40 })).toBe(
      'error: unknown command "policy" in this version of the program\n' +
        'hint: Use `lanyard secrets list sys/policies/acl` or `lanyard status`.\n',
    );
  });

  test('is text for table and env too', async () => {
    for (const format of ['table', 'env'] as const) {
      expect(await renderFailure(usage('no'), { ...plain, format })).toBe('error: no\n');
    }
  });
});

describe('a failure for programs', () => {
  test('is one JSON object with all known fields', async () => {
    for (const format of ['json', 'jsonl', 'yaml'] as const) {
      const written = await renderFailure(error, { format, terminal: false, width: 80, color: true });
      expect(written.endsWith('}\n')).toBe(true);
      expect(JSON.parse(written)).toEqual({
        error: {
          code: 3,
          kind: 'not_found',
          message: 'no role "web" at ssh',
          status: 404,
          service: 'secrets',
          messages: ['1 error occurred', 'role not found'],
          retryable: false,
          hint: 'See what there is: lanyard ssh role list',
        },
      });
    }
  });

  test('omits unknown fields', async () => {
    const written = await renderFailure(usage('no'), { ...plain, format: 'jsonl' });
    expect(written).toBe('{"error":{"code":2,"kind":"usage","message":"no","retryable":false}}\n');
  });

  test('holds nothing that a terminal obeys', async () => {
    const written = await renderFailure(usage('\x9b\x1b\u202e'), { ...plain, format: 'json' });
    expect(written).toContain('"message": "\\u009b\\u001b\\u202e"');
  });
});
