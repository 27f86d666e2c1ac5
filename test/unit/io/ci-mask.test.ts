import { expect, test } from 'vitest';
import { maskCommands } from '../../../src/io/ci-mask.ts';

test('nothing is printed outside of a CI service that can mask', () => {
  expect(maskCommands('secret', {})).toEqual([]);
  expect(maskCommands('secret', { GITLAB_CI: 'true', GITHUB_ACTIONS: 'false' })).toEqual([]);
});

test('GitHub Actions gets each line, with its escapes', () => {
  expect(maskCommands('one%0Atwo\r\n\nthree\n', { GITHUB_ACTIONS: 'true' })).toEqual([
    '::add-mask::one%250Atwo',
    '::add-mask::three',
  ]);
});

test('Azure Pipelines gets each line, with its escapes', () => {
  expect(maskCommands('one%\ntwo', { TF_BUILD: 'True' })).toEqual([
    '##vso[task.setsecret]one%AZP25',
    '##vso[task.setsecret]two',
  ]);
});
