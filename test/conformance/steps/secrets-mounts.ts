import { type Step, stepsOf } from '../step.ts';

const { read, write, after, cleanup } = stepsOf('secrets');

/** Secrets engines and auth methods. */
export const mountSteps: readonly Step[] = [
  read('secrets mount list', 'secrets mount list --select length(@)'),
  read('secrets mount list: without a token', 'secrets mount list', { code: 4, as: 'anonymous' }),
  read('secrets mount get: missing', 'secrets mount get {run}-missing', { code: 3 }),
  read('secrets mount tune: missing', 'secrets mount tune {run}-missing --max-lease-ttl 1h', { code: 3 }),
  read('secrets auth list', 'secrets auth list --select length(@)'),
  read('secrets auth get', 'secrets auth get token'),
  read('secrets auth get: missing', 'secrets auth get {run}-missing', { code: 3 }),
  write('secrets mount enable', 'secrets mount enable kv --path {run}-m --version 2 --description x'),
  write('secrets mount enable: path in use', 'secrets mount enable kv --path {run}-m', { code: 6 }),
  write('secrets mount enable: unknown type', 'secrets mount enable {run} --path {run}-n', { code: 1 }),
  write('secrets mount enable: forbidden', 'secrets mount enable kv --path {run}-n', {
    code: 5,
    as: 'limited',
  }),
  after('secrets mount get', 'secrets mount get {run}-m'),
  write('secrets mount tune', 'secrets mount tune {run}-m --default-lease-ttl 1h --description y'),
  write('secrets mount tune: unchanged', 'secrets mount tune {run}-m --default-lease-ttl 1h'),
  write('secrets mount tune: unset', 'secrets mount tune {run}-m --unset description,default-lease-ttl'),
  write('secrets mount move: missing', 'secrets mount move {run}-missing {run}-m2 --yes', { code: 3 }),
  write('secrets mount move', 'secrets mount move {run}-m {run}-m2 --yes'),
  after('secrets mount get: moved', 'secrets mount get {run}-m', { code: 3 }),
  write('secrets mount disable', 'secrets mount disable {run}-m2 --yes'),
  write('secrets mount disable: missing', 'secrets mount disable {run}-m2 --yes', { code: 3 }),
  write('secrets auth enable', 'secrets auth enable userpass --path {run}-a --token-type batch'),
  write('secrets auth enable: path in use', 'secrets auth enable userpass --path {run}-a', { code: 6 }),
  write('secrets auth tune', 'secrets auth tune {run}-a --token-type service --max-lease-ttl 1h'),
  write('secrets auth move', 'secrets auth move {run}-a {run}-a2 --yes'),
  write('secrets auth disable', 'secrets auth disable {run}-a2 --yes'),
  write('secrets auth disable: missing', 'secrets auth disable {run}-a2 --yes', { code: 3 }),
  cleanup('secrets: remove the mount', 'secrets mount disable {run}-m --yes'),
  cleanup('secrets: remove the auth method', 'secrets auth disable {run}-a --yes'),
];
