import { type Step, stepsOf } from '../step.ts';
import { boxStateSteps } from './state.ts';

const { read, write, after, cleanup } = stepsOf('box');

const box = '{owner}/{run}';
const embedded = { only: ['lanyard'] } as const;
const image = { 'web.box': 'the image of a box for the conformance run\n' };

const reads: readonly Step[] = [
  read('status: box', 'status'),
  read('status: box, without a token', 'status', { as: 'anonymous' }),
  read('status: box, with an invalid token', 'status', { as: 'invalid' }),
  read('status --check: box', 'status --check'),
  read('status --check: box, with an invalid token', 'status --check', { code: 4, as: 'invalid' }),
  read('box search', 'box search --limit 1'),
  read('box get: missing', 'box get {owner}/{run}-missing', { code: 3 }),
  read('box get: no such owner', 'box get {run}/missing', { code: 3 }),
  read('box list', 'box list'),
  read('box list: owner', 'box list {owner}'),
  read('box list: missing', 'box list {run}', { code: 3 }),
  read('box list: with an invalid token', 'box list', { code: 4, as: 'invalid' }),
  read('box list: without a token', 'box list', { code: 4, as: 'anonymous' }),
  read('box org get', 'box org get {owner}'),
  read('box org get: missing', 'box org get {run}', { code: 3 }),
  read('box token check', 'box token check'),
  read('box token check: with an invalid token', 'box token check', { code: 4, as: 'invalid' }),
  read('box token check: without a token', 'box token check', { code: 4, as: 'anonymous' }),
  read('api: box', 'api box GET search?limit=1'),
];

const making: readonly Step[] = [
  write('box create', `box create ${box} --short-description conformance`),
  write('box create: exists', `box create ${box}`, { code: 6 }),
  write('box create: without a token', `box create {owner}/{run}-2`, { code: 4, as: 'anonymous' }),
  write('box create: with an invalid token', `box create {owner}/{run}-2`, { code: 4, as: 'invalid' }),
  write('box create: no such owner', 'box create {run}/web', { code: 1 }),
  after('box get', `box get ${box}`),
  after('box get: private', `box get ${box}`, { code: 3, as: 'anonymous' }),
  write('box update', `box update ${box} --description changed --private`),
  write('box update: missing', 'box update {owner}/{run}-missing --description x', { code: 3 }),
  write('box version create', `box version create ${box} 1.0.0 --description first`),
  write('box version create: exists', `box version create ${box} 1.0.0`, { code: 6 }),
  after('box version get', `box version get ${box} 1.0.0`),
  after('box version get: missing', `box version get ${box} 9.0.0`, { code: 3 }),
  write('box version update', `box version update ${box} 1.0.0 --description second`),
  write('box version update: missing', `box version update ${box} 9.0.0 --description x`, { code: 3 }),
  write('box release: no provider', `box release ${box} 1.0.0`, { code: 6 }),
  write('box provider create', `box provider create ${box} 1.0.0 virtualbox`),
  write('box provider create: exists', `box provider create ${box} 1.0.0 virtualbox`, { code: 6 }),
  after('box provider get', `box provider get ${box} 1.0.0 virtualbox`),
  after('box provider get: missing', `box provider get ${box} 1.0.0 libvirt`, { code: 3 }),
  write('box provider update', `box provider update ${box} 1.0.0 virtualbox --name qemu`),
  write('box provider update: missing', `box provider update ${box} 1.0.0 libvirt --name x`, { code: 3 }),
  write('box upload', `box upload ${box} 1.0.0 qemu web.box`, { files: image }),
  write('box upload: no such provider', `box upload ${box} 1.0.0 libvirt web.box`, { code: 3, files: image }),
  write('box release', `box release ${box} 1.0.0`),
  write('box publish', `box publish ${box} 1.1.0 libvirt web.box`, { files: image }),
  after('box download', `box download ${box} 1.1.0 libvirt --out downloaded.box`),
  after('box download: no such provider', `box download ${box} 1.1.0 vmware --out other.box`, { code: 3 }),
  write('box revoke', `box revoke ${box} 1.1.0 --yes`),
  write('box provider delete', `box provider delete ${box} 1.1.0 libvirt --yes`),
  write('box provider delete: missing', `box provider delete ${box} 1.1.0 libvirt --yes`, { code: 3 }),
  write('box version delete', `box version delete ${box} 1.1.0 --yes`),
  write('box version delete: missing', `box version delete ${box} 1.1.0 --yes`, { code: 3 }),
];

/** Made only where it can be: no product has a request for it, and none deletes it. */
const organizations: readonly Step[] = [
  write('box org create', 'box org create {run}-org', embedded),
  write('box org create: exists', 'box org create {run}-org', { code: 6, ...embedded }),
  write('box org create: a user', 'box org create {owner}', { code: 6, ...embedded }),
  write('box org create: without a token', 'box org create {run}-2', {
    code: 4,
    as: 'anonymous',
    ...embedded,
  }),
  write('box org create: with an invalid token', 'box org create {run}-2', {
    code: 4,
    as: 'invalid',
    ...embedded,
  }),
  after('box org get: created', 'box org get {run}-org', embedded),
  write('box create: in an organization', 'box create {run}-org/web', embedded),
  after('box list: organization', 'box list {run}-org', embedded),
  cleanup('box: remove from the organization', 'box delete {run}-org/web --yes', embedded),
];

const login = { PASSWORD: '{boxPassword}', WRONG: '{run}-wrong' };

const logins: readonly Step[] = [
  write(
    'box token create',
    'box token create --login {owner} --password env://PASSWORD --description {run}',
    { as: 'login', env: login },
  ),
  after('box token check: stored', 'box token check', { as: 'login' }),
  write('box token delete', 'box token delete --yes', { as: 'login' }),
  write('box token delete: without a token', 'box token delete --yes', { code: 4, as: 'login' }),
  write(
    'box token create: wrong password',
    'box token create --login {owner} --password env://WRONG --no-store',
    { code: 4, as: 'anonymous', env: login },
  ),
  write('box request-code: one factor', 'box request-code --login {owner} --password env://PASSWORD', {
    code: 5,
    as: 'anonymous',
    env: login,
  }),
];

const removals: readonly Step[] = [
  write('box delete', `box delete ${box} --yes`),
  write('box delete: missing', `box delete ${box} --yes`, { code: 3 }),
  cleanup('box: remove', `box delete ${box} --yes`),
];

export const boxSteps: readonly Step[] = [
  ...reads,
  ...making,
  ...organizations,
  ...logins,
  ...boxStateSteps,
  ...removals,
];
