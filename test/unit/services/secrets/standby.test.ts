import { afterEach, expect, test } from 'vitest';
import type { Lag } from '../../../../src/services/core/store/replica.ts';
import { home } from '../../../support/run.ts';
import { services, type TestServices } from '../../../support/services.ts';

const at = home();
let running: TestServices;
afterEach(async () => {
  await running.close();
});

async function cluster(lag: Lag, clock = () => new Date()) {
  running = await services(at, { clock, conditions: { standby: lag } });
  const { conditions } = running.embedded;
  const ask =
    (address: string) =>
    async (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(`${address}/v1/${path}`, {
        method,
        headers: { 'X-Vault-Token': running.rootToken, ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
    };
  return {
    conditions,
    active: ask(running.addresses.secrets),
    standby: ask(conditions.standbyAddress ?? ''),
  };
}
const secret = (a: string) => ({ data: { a } });

test('a standby forwards writes, and reads what it had before', async () => {
  const { active, standby, conditions } = await cluster({ ms: Number.POSITIVE_INFINITY });
  expect(await standby('POST', 'secret/data/x', secret('1'))).toMatchObject({ status: 200 });
  expect(await active('GET', 'secret/data/x')).toMatchObject({ json: { data: secret('1') } });
  expect(await standby('GET', 'secret/data/x')).toMatchObject({ status: 404 });
  expect(await standby('LIST', 'secret/metadata')).toMatchObject({ status: 404 });
  conditions.catchUp();
  expect(await standby('GET', 'secret/data/x')).toMatchObject({ json: { data: secret('1') } });
});

test('a change is visible after the given time', async () => {
  let nowMs = Date.now();
  const { standby } = await cluster({ ms: 2000 }, () => new Date(nowMs));
  await standby('POST', 'secret/data/x', secret('1'));
  nowMs += 1999;
  expect(await standby('GET', 'secret/data/x')).toMatchObject({ status: 404 });
  nowMs += 1;
  expect(await standby('GET', 'secret/data/x')).toMatchObject({ status: 200 });
});

test('a change is visible after the given number of requests', async () => {
  const { standby } = await cluster({ requests: 2 });
  await standby('POST', 'secret/data/x', secret('1'));
  expect(await standby('GET', 'secret/data/x')).toMatchObject({ status: 404 });
  expect(await standby('GET', 'secret/data/x')).toMatchObject({ status: 404 });
  expect(await standby('GET', 'secret/data/x')).toMatchObject({ status: 200 });
});

test('the active server wraps responses, also of an object that does not exist', async () => {
  const { active, standby, conditions } = await cluster({ ms: Number.POSITIVE_INFINITY });
  await active('POST', 'secret/data/x', secret('1'));
  const wrap = { 'X-Vault-Wrap-TTL': '60' };
  const { json } = await standby('GET', 'secret/data/x', undefined, wrap);
  const unwrap = () =>
    standby('POST', 'sys/wrapping/unwrap', undefined, { 'X-Vault-Token': json.wrap_info.token });
  expect(await unwrap()).toMatchObject({
    status: 400,
    json: { errors: ['wrapping token is not valid or does not exist'] },
  });
  conditions.catchUp();
  expect(await unwrap()).toMatchObject({ status: 200, json: { data: secret('1') } });
  expect(await standby('GET', 'secret/data/none', undefined, wrap)).toMatchObject({ status: 404 });
});

test('tokens that the standby does not know, or that count their uses, are forwarded', async () => {
  const { active, standby } = await cluster({ ms: Number.POSITIVE_INFINITY });
  const { json } = await active('POST', 'auth/token/create', { num_uses: 1 });
  const headers = { 'X-Vault-Token': json.auth.client_token };
  expect(await standby('GET', 'auth/token/lookup-self', undefined, headers)).toMatchObject({ status: 200 });
  expect(await standby('GET', 'auth/token/lookup-self', undefined, headers)).toMatchObject({ status: 403 });
});

test('a write below a mount that the standby does not know fails', async () => {
  const { active, standby, conditions } = await cluster({ ms: Number.POSITIVE_INFINITY });
  await active('POST', 'sys/mounts/new', { type: 'kv' });
  expect(await standby('POST', 'new/x', { a: '1' })).toMatchObject({
    status: 404,
    json: { errors: ['no handler for route "new/x". route entry not found.'] },
  });
  conditions.catchUp();
  expect(await standby('POST', 'new/x', { a: '1' })).toMatchObject({ status: 204 });
});

test('sys/leader and sys/health show the role of each server', async () => {
  const { active, standby } = await cluster({ ms: 0 });
  const leader_address = running.addresses.secrets;
  expect(await active('GET', 'sys/leader')).toMatchObject({
    json: { ha_enabled: true, is_self: true, leader_address },
  });
  const { json } = await standby('GET', 'sys/leader');
  expect(json).toMatchObject({ ha_enabled: true, leader_address });
  expect(json).not.toHaveProperty('is_self');
  expect(await active('GET', 'sys/health')).toMatchObject({ status: 200, json: { standby: false } });
  expect(await standby('GET', 'sys/health')).toMatchObject({ status: 429, json: { standby: true } });
  expect(await standby('GET', 'sys/health?standbyok=true')).toMatchObject({ status: 200 });
  expect(await standby('GET', 'sys/health?standbycode=299')).toMatchObject({ status: 299 });
});

test('without a leader, the standby reads and forwards nothing', async () => {
  const { active, standby, conditions } = await cluster({ ms: 0 });
  conditions.interrupt('secrets', { status: 500 });
  const noLeader = { errors: ['local node not active but active cluster node not found'] };
  expect(await standby('POST', 'secret/data/x', secret('1'))).toEqual({ status: 500, json: noLeader });
  expect(await active('GET', 'secret/data/x')).toEqual({ status: 500, json: noLeader });
  expect(await standby('GET', 'auth/token/lookup-self')).toMatchObject({ status: 200 });
  conditions.resume('secrets');
  expect(await standby('POST', 'secret/data/x', secret('1'))).toMatchObject({ status: 200 });
});
