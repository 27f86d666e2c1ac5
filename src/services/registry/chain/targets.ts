import { formatNanoseconds } from '../config/duration.ts';
import {
  type EntrySource,
  globalName,
  type LocalityPriority,
  type MeshGateway,
  type Subset,
} from '../config/entry.ts';
import type { ChainTarget } from './chain.ts';
import type { ChainRequest } from './chain-request.ts';
import { type Target, targetId } from './target.ts';

/** What the resolver of a target says. */
interface TargetSettings {
  readonly subset: Subset;
  /** A duration as formatted by Go. */
  readonly connectTimeout: string;
  readonly priority: LocalityPriority | undefined;
}

/** The targets of one chain. */
export class Targets {
  /** Those in use, by ID. */
  readonly chainTargets = new Map<string, ChainTarget>();
  /** The overrides that had an effect. */
  readonly customized = { connectTimeout: false, meshGateway: false };
  readonly #request: ChainRequest;
  readonly #entries: EntrySource;
  readonly #loaded = new Map<string, Target>();

  constructor(request: ChainRequest, entries: EntrySource) {
    this.#request = request;
    this.#entries = entries;
  }

  /** The first target with the same ID: IDs of peers do not have the subset. */
  load(target: Target): Target {
    const id = targetId(target);
    const existing = this.#loaded.get(id);
    if (existing) return existing;
    this.#loaded.set(id, target);
    return target;
  }

  /** The target as shown in the chain. */
  chainTarget(target: Target, { subset, connectTimeout, priority }: TargetSettings): ChainTarget {
    const id = targetId(target);
    const existing = this.chainTargets.get(id);
    if (existing) return existing;
    const { service, namespace, datacenter, peer } = target;
    const sni = this.#entries.entry('service-defaults', service)?.ExternalSNI;
    const locality =
      peer === undefined
        ? (priority ?? this.#entries.entry('proxy-defaults', globalName)?.PrioritizeByLocality)
        : undefined;
    // The trust domain of a peer is not known here.
    const name = peer === undefined ? `${id}.internal.${this.#request.trustDomain}` : undefined;
    const shownSni = sni || name;
    const chainTarget: ChainTarget = {
      ID: id,
      Service: service,
      ...(target.subset !== '' && { ServiceSubset: target.subset }),
      Namespace: namespace,
      ...(peer === undefined ? { Datacenter: datacenter } : { Peer: peer }),
      MeshGateway: sni ? {} : this.#meshGateway(service),
      Subset: subset,
      TransparentProxy: sni ? {} : this.#transparentProxy(service),
      ConnectTimeout: this.#connectTimeout(connectTimeout),
      ...(sni && { External: true }),
      ...(shownSni && { SNI: shownSni }),
      ...(name && { Name: name }),
      ...(locality && { PrioritizeByLocality: locality }),
    };
    this.chainTargets.set(id, chainTarget);
    return chainTarget;
  }

  #meshGateway(service: string): MeshGateway {
    const serviceMode = this.#entries.entry('service-defaults', service)?.MeshGateway?.Mode;
    const mode = serviceMode ?? this.#entries.entry('proxy-defaults', globalName)?.MeshGateway?.Mode;
    const override = this.#request.overrides?.meshGateway;
    if (override && override !== mode) this.customized.meshGateway = true;
    const Mode = override ?? mode;
    return Mode ? { Mode } : {};
  }

  #transparentProxy(service: string): ChainTarget['TransparentProxy'] {
    const isDirect = [
      this.#entries.entry('service-defaults', service),
      this.#entries.entry('proxy-defaults', globalName),
    ].some((entry) => entry?.TransparentProxy?.DialedDirectly);
    return isDirect ? { DialedDirectly: true } : {};
  }

  #connectTimeout(timeout: string): string {
    const override = this.#request.overrides?.connectTimeout;
    if (!override || formatNanoseconds(override) === timeout) return timeout;
    this.customized.connectTimeout = true;
    return formatNanoseconds(override);
  }
}
