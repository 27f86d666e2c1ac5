import { describe, expect, test } from 'vitest';
import { escapeCommands, escapeCommandsInJson } from '../../../src/io/ci-commands.ts';

const services = {
  github: { GITHUB_ACTIONS: 'true' },
  gitlab: { GITLAB_CI: 'true' },
  azure: { TF_BUILD: 'True' },
};

describe.each(Object.entries(services))('in the log of %s', (_name, env) => {
  test.each([
    ['::stop-commands::token', ': :stop-commands::token'],
    ['a\n \t::add-mask::b', 'a\n \t: :add-mask::b'],
    ['a\r::add-mask::b', 'a\r: :add-mask::b'],
    ['\u200b:\u200b:add-mask::b', '\u200b: \u200b:add-mask::b'],
    ['\u001b[0m::', '\u001b[0m::'],
    ['a ##[group]b', 'a # #[group]b'],
    ['###[group]b', '## #[group]b'],
    ['a ##VSO[task.setsecret]b', 'a # #VSO[task.setsecret]b'],
    ['\u00e9 #\u200b#vso[task.setsecret]b', '\u00e9 # \u200b#vso[task.setsecret]b'],
    ['section_start:1:a\r\u001b[0K', 'section_ start:1:a\r\u001b[0K'],
  ])('%j becomes %j', (text, expected) => {
    expect(escapeCommands(text, env)).toBe(expected);
  });

  test.each(['a::b', 'error: ::1', '# [x]', '## title', 'a # b[', 'section_started'])(
    '%j is unchanged',
    (text) => {
      expect(escapeCommands(text, env)).toBe(text);
    },
  );

  test('JSON keeps its values', () => {
    const value = { '##[a]': '::b\n##vso[c] \u00e9#\u200b#[d]\\##[', e: ['section_end:1:f', '::'] };
    for (const json of [JSON.stringify(value), JSON.stringify(value, undefined, 2)]) {
      const escaped = escapeCommandsInJson(json, env);
      expect(JSON.parse(escaped)).toEqual(value);
      expect(escaped).not.toMatch(/##\[|##vso|#\u200b#|section_end:|^\s*::/m);
    }
  });
});

test('elsewhere, text is unchanged', () => {
  const text = '::stop-commands::a\n##[b] ##vso[c] section_start:1:a';
  for (const env of [{}, { GITHUB_ACTIONS: 'false' }]) {
    expect(escapeCommands(text, env)).toBe(text);
    expect(escapeCommandsInJson(text, env)).toBe(text);
  }
});
