import { expect, test } from 'vitest';
import { call } from '../support.ts';
import { accounts, admin, adminToken, forbidden, noToken, notFound } from './support.ts';

test.each([
  [`Bearer ${adminToken}`, 200],
  [`bearer   ${adminToken}`, 200],
  [adminToken, 401],
  [`Bearer${adminToken}`, 401],
  [`Basic Bearer ${adminToken}`, 401],
  [`Bearer ${adminToken} x`, 401],
  [`Bearer ${adminToken.slice(0, -1)}`, 401],
  ['Bearer', 401],
])('the header "Authorization: %s" gets status %i', async (Authorization, status) => {
  const { address } = await accounts();
  const reply = await call(address, 'GET', `/v1/accounts/${admin}`, {
    token: null,
    headers: { Authorization },
  });
  expect(reply.status).toBe(status);
});

test('the token of an account gives access to this account only', async () => {
  const { json, login, made, rejected } = await accounts();
  const ada = await made('ada', {}, 'long enough');
  const eve = await made('eve', {}, 'long enough');
  const token = await login('eve', 'long enough');
  const change = { version: 1, current_password: 'long enough', new_password: 'the second one' };
  for (const caller of [token, null])
    expect(await rejected('POST', `accounts/${ada.id}:change-password`, change, caller)).toEqual(
      caller === null ? noToken : forbidden,
    );
  expect(await json('GET', `accounts/${eve.id}`, undefined, token)).toMatchObject({ id: eve.id });
  expect(await json('POST', `accounts/${eve.id}:change-password`, change, token)).toMatchObject({
    version: 2,
  });
  // The administrator has access to every account.
  expect(await json('GET', `accounts/${ada.id}`)).toMatchObject({ id: ada.id });
  expect(await json('POST', `accounts/${ada.id}:change-password`, change)).toMatchObject({ version: 2 });
});

test('an account with an ID of the earlier form is not found instead of invalid', async () => {
  const { rejected } = await accounts();
  for (const id of ['apw_1234567890', 'acctpw_1234567899', 'acctoidc_1234567890', 'acctldap_1234567890'])
    expect(await rejected('GET', `accounts/${id}`), id).toEqual(notFound);
  expect((await rejected('GET', 'accounts/Stryker_1'))[0]).toBe(400);
});

test('only the administrator creates scopes and auth methods', async () => {
  const { json, login, made, rejected } = await accounts();
  await made('eve', {}, 'long enough');
  const token = await login('eve', 'long enough');
  const body = { scope_id: 'global', name: 'one' };
  expect(await rejected('POST', 'scopes', body, null)).toEqual(noToken);
  expect(await rejected('POST', 'scopes', body, token)).toEqual(forbidden);
  expect(await json('POST', 'scopes', body)).toMatchObject({ name: 'one' });
});
