import { expect, test } from 'vitest';
import { maskCommands } from '../../../src/io/ci-mask.ts';

test('nothing is printed outside of a CI service that can mask', () => {
  expect(maskCommands('secret', {})).toEqual([]);
  expect(maskCommands('secret', { GITLAB_CI: 'true', GITHUB_ACTIONS: 'false' })).toEqual([]);
});

test('GitHub Actions gets the text and each line, with their escapes', () => {
  expect(maskCommands('one%0Atwo\r\n\nthree\n', { GITHUB_ACTIONS: 'true' })).toEqual([
    '::add-mask::one%250Atwo%0D%0A%0Athree%0A',
    '::add-mask::one%250Atwo%0D%0A%0Athree',
    '::add-mask::one%250Atwo',
    '::add-mask::three',
  ]);
});

test('GitHub Actions gets a line with spaces at its ends without them too, and no text twice', () => {
  expect(maskCommands('  padded ', { GITHUB_ACTIONS: 'true' })).toEqual([
    '::add-mask::  padded ',
    '::add-mask::padded',
  ]);
  expect(maskCommands('same\nsame\n  same', { GITHUB_ACTIONS: 'true' })).toEqual([
    '::add-mask::same%0Asame%0A  same',
    '::add-mask::same',
    '::add-mask::  same',
  ]);
  expect(maskCommands(' \n\t', { GITHUB_ACTIONS: 'true' })).toEqual([]);
});

test('Azure Pipelines gets each line, with its escapes', () => {
  expect(maskCommands('one%\ntwo', { TF_BUILD: 'True' })).toEqual([
    '##vso[task.setsecret]one%AZP25',
    '##vso[task.setsecret]two',
  ]);
});
