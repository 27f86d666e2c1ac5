import { expect } from 'vitest';
import type { Chain, ChainReason } from '../../../../../src/services/registry/chain/chain.ts';
import { ChainError } from '../../../../../src/services/registry/chain/chain.ts';
import type { Overrides } from '../../../../../src/services/registry/chain/chain-request.ts';
import { compileChain } from '../../../../../src/services/registry/chain/compile.ts';
import type {
  ConfigEntry,
  EntriesByKind,
  EntryKind,
  EntrySource,
  ProxyDefaults,
  ServiceDefaults,
  ServiceResolver,
  ServiceRouter,
  ServiceSplitter,
  Split,
} from '../../../../../src/services/registry/config/entry.ts';

export const trustDomain = '11111111-2222-3333-4444-555555555555.consul';

function sourceOf(entries: readonly ConfigEntry[]): EntrySource {
  return {
    entry: <Kind extends EntryKind>(kind: Kind, name: string) =>
      entries.find((entry) => entry.Kind === kind && entry.Name === name) as EntriesByKind[Kind] | undefined,
  };
}

/** Compiles a chain for dc1, of `web` unless another service is named. */
export function compiled(
  entries: readonly ConfigEntry[],
  overrides: Overrides = {},
  { service = 'web', datacenter = 'dc1' } = {},
): Chain {
  const request = { service, namespace: 'default', datacenter, trustDomain, overrides };
  return compileChain(request, sourceOf(entries));
}

export function rejection(entries: readonly ConfigEntry[]): { reason: ChainReason; message: string } {
  try {
    compiled(entries);
  } catch (error) {
    if (error instanceof ChainError) return { reason: error.reason, message: error.message };
    throw error;
  }
  return expect.fail('the chain was compiled');
}

type Members<Entry> = Omit<Entry, 'Kind' | 'Name'>;

export const defaults = (Name: string, rest: Members<ServiceDefaults> = {}): ServiceDefaults => ({
  Kind: 'service-defaults',
  Name,
  ...rest,
});
export const http = (...names: string[]): ServiceDefaults[] =>
  names.map((name) => defaults(name, { Protocol: 'http' }));
export const proxies = (rest: Members<ProxyDefaults>): ProxyDefaults => ({
  Kind: 'proxy-defaults',
  Name: 'global',
  ...rest,
});
export const resolver = (Name: string, rest: Members<ServiceResolver> = {}): ServiceResolver => ({
  Kind: 'service-resolver',
  Name,
  ...rest,
});
export const splitter = (Name: string, ...Splits: Split[]): ServiceSplitter => ({
  Kind: 'service-splitter',
  Name,
  Splits,
});
export const router = (
  Name: string,
  ...Routes: readonly NonNullable<ServiceRouter['Routes']>[number][]
): ServiceRouter => ({ Kind: 'service-router', Name, Routes });

/** The node at a key, which is of the type that the key begins with. */
export function resolverAt({ Nodes }: Chain, id: string) {
  const node = Nodes[`resolver:${id}`];
  if (node?.Type !== 'resolver') return expect.fail(`no resolver ${id} in ${Object.keys(Nodes).join(', ')}`);
  return node;
}
export function splitsAt({ Nodes }: Chain, name: string) {
  const node = Nodes[`splitter:${name}`];
  if (node?.Type !== 'splitter')
    return expect.fail(`no splitter ${name} in ${Object.keys(Nodes).join(', ')}`);
  return node;
}
