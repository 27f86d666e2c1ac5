import { describe, expect, test } from 'vitest';
import { conflictingVariable, unknownSelectorOf } from '../../../src/api/conditions.ts';
import { failure } from '../../../src/api/failures.ts';
import type { ServiceName } from '../../../src/wire/services.ts';

/** The error that the client makes of a response. */
const errorOf = (service: ServiceName, status: number, text: string, type = 'application/json') =>
  failure(
    { operation: { name: 'do it', service, retry: 'write', accepts: [200] }, tokenSent: true, secrets: [] },
    { status, headers: text === '' ? {} : { 'content-type': type }, text },
  );

describe('Nomad', () => {
  const nomad = (status: number, text: string) =>
    errorOf('scheduler', status, text, 'text/plain; charset=utf-8');

  test('a conflict is JSON sent as plain text, with the items or without', () => {
    const metadata =
      '"CreateIndex":9,"CreateTime":1795319469411675940,"ModifyIndex":9,"ModifyTime":1795319469411675940,"Namespace":"default","Path":"t/one"';
    expect(conflictingVariable(nomad(409, `{${metadata},"Items":{"a":"1","b":"2"}}`))).toEqual({
      index: '9',
      items: { a: '1', b: '2' },
    });
    const unreadable = nomad(409, `{${metadata}}`);
    expect(conflictingVariable(unreadable)).toEqual({ index: '9', items: undefined });
    expect(unreadable.details).toEqual(['the stored variable has ModifyIndex 9']);
  });

  test('a conflict about a lock or about nothing is zeroed', () => {
    const zeroed = nomad(
      409,
      '{"CreateIndex":0,"CreateTime":0,"ModifyIndex":0,"ModifyTime":0,"Namespace":"default","Path":"t/locked"}',
    );
    expect(conflictingVariable(zeroed)).toEqual({ index: '0', items: undefined });
    expect(zeroed.details).toEqual(['the variable is locked or does not exist']);
    expect(conflictingVariable(nomad(500, 'rpc error'))).toBeUndefined();
  });

  test('unknownSelectorOf: the field that a filter names, not a filter that cannot be read', () => {
    const said = 'failed to read result page: error finding value in datum: ';
    const reason = `couldn't find key: struct field with name "Path"`;
    expect(unknownSelectorOf(nomad(400, `${said}/Path at part 0: ${reason}`))).toEqual(['Path']);
    expect(unknownSelectorOf(nomad(400, `${said}/VariableMetadata/Nope at part 1: ${reason}`))).toEqual([
      'VariableMetadata',
      'Nope',
    ]);
    const unread =
      'failed to create result paginator: failed to read filter expression: 1:8 (7): no match found';
    expect(unknownSelectorOf(nomad(400, unread))).toBeUndefined();
  });
});
