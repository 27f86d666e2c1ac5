import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import { SortedMap } from './sorted-map.ts';

const batchSize = 1024;

/** Keys that move into the map without yielding to the event loop. */
const mergeSize = 64;

/** A view of a map that later changes do not reach, until it is released. */
export interface MapSnapshot<Value> {
  get(key: string): Value | undefined;
  /** Keys that begin with a prefix, in order. */
  keys(prefix: string): string[];
  /** The same, found in batches as they are taken. */
  eachKey(prefix: string): Iterable<string>;
  release(): void;
}

/** The changes of a large write, which are prepared in parts. */
export class Layer<Value> {
  readonly values = new SortedMap<Value>();
  readonly removed = new SortedMap<true>();
  /** Changes that no longer are in the layer, because a later one replaced them: what was below them. */
  readonly replaced = new Map<string, Value | undefined>();

  put(key: string, value: Value | undefined): void {
    this.values.put(key, value);
    this.removed.put(key, value === undefined ? true : undefined);
  }

  has(key: string): boolean {
    return this.removed.get(key) ?? this.values.get(key) !== undefined;
  }
}

/** An ordered map whose large changes take no time: prepared as a layer on top, which moves into the map in slices. */
export class LayeredMap<Value> {
  readonly #base: SortedMap<Value>;
  readonly #snapshots = new Set<Snapshot<Value>>();
  #layer: Layer<Value> | undefined;
  #merged: Promise<void> | undefined;

  constructor(base = new SortedMap<Value>()) {
    this.#base = base;
  }

  get(key: string): Value | undefined {
    return this.readThrough(this.#layer, key);
  }

  /** The value of a key with a layer on top of the map; of none if there is no layer. */
  readThrough(layer: Layer<Value> | undefined, key: string): Value | undefined {
    if (!layer) return this.#base.get(key);
    return layer.values.get(key) ?? (layer.removed.get(key) ? undefined : this.#base.get(key));
  }

  put(key: string, value: Value | undefined): void {
    this.#preserve(key);
    const layer = this.#layer;
    if (layer?.has(key)) {
      if (!layer.replaced.has(key)) layer.replaced.set(key, this.#base.get(key));
      layer.put(key, undefined);
      layer.removed.put(key, undefined);
    }
    this.#base.put(key, value);
  }

  /** Keys that begin with `prefix`, in order; at most `limit` of those after `after`, if given. */
  keys(prefix: string, after?: string, limit?: number): string[] {
    return this.keysThrough(this.#layer, prefix, after, limit);
  }

  /** The keys with a layer on top of the map; of none if there is no layer. */
  keysThrough(
    layer: Layer<Value> | undefined,
    prefix: string,
    after?: string,
    limit = Number.POSITIVE_INFINITY,
  ): string[] {
    if (!layer) return this.#base.keys(prefix, after, limit);
    const result: string[] = [];
    for (let from = after; result.length < limit; ) {
      const sources = [this.#base, layer.values].map((map) => map.keys(prefix, from, batchSize));
      // What comes after a full batch may not be in the other one.
      const ends = sources.flatMap((keys) => (keys.length === batchSize ? (keys.at(-1) ?? []) : []));
      const [end] = ends.sort();
      const removed = new Set(layer.removed.keys(prefix, from, batchSize));
      const lastRemoved = removed.size === batchSize ? [...removed].at(-1) : undefined;
      const [base = [], values = []] = sources;
      const isGone = (key: string) =>
        lastRemoved === undefined || key <= lastRemoved ? removed.has(key) : layer.removed.get(key) === true;
      const found = base.filter((key) => (end === undefined || key <= end) && !isGone(key));
      const names =
        values.length === 0
          ? found
          : [...new Set([...found, ...values.filter((key) => end === undefined || key <= end)])].sort();
      for (const key of names) if (result.length < limit) result.push(key);
      if (end === undefined) break;
      from = end;
    }
    return result;
  }

  /** The entries of {@link keys}. */
  entries(prefix: string, after?: string, limit?: number): (readonly [key: string, value: Value])[] {
    if (!this.#layer) return this.#base.entries(prefix, after, limit);
    return this.keys(prefix, after, limit).map((key) => [key, this.get(key) as Value]);
  }

  /** At most `limit` of the keys that begin with `prefix`, before `before` if given; the last one first. */
  keysBefore(prefix: string, before: string | undefined, limit: number): string[] {
    if (!this.#layer) return this.#base.keysBefore(prefix, before, limit);
    const keys = this.keys(prefix).filter((key) => before === undefined || key < before);
    return keys.reverse().slice(0, limit);
  }

  snapshot(): MapSnapshot<Value> {
    const snapshot: Snapshot<Value> = new Snapshot(this, this.#layer, () => this.#snapshots.delete(snapshot));
    this.#snapshots.add(snapshot);
    return snapshot;
  }

  /** Puts a layer on top, which makes its changes visible; there must be no other one. */
  publish(layer: Layer<Value>): void {
    this.#layer = layer;
  }

  /** Drops the layer. Later changes of its keys are undone before. */
  drop(): void {
    const layer = this.#layer;
    this.#layer = undefined;
    for (const [key, value] of layer?.replaced ?? []) this.put(key, value);
  }

  /** Moves the layer into the map, in slices; resolves when it is gone. */
  merge(): Promise<void> {
    this.#merged ??= this.#mergeLayer().finally(() => {
      this.#merged = undefined;
    });
    return this.#merged;
  }

  async #mergeLayer(): Promise<void> {
    const layer = this.#layer;
    if (!layer) return;
    for (const changes of [layer.removed, layer.values]) {
      for (;;) {
        const keys = changes.keys('', undefined, mergeSize);
        if (keys.length === 0) break;
        for (const key of keys) this.#settle(layer, key);
        await yieldToEventLoop();
      }
    }
    this.#layer = undefined;
  }

  #settle(layer: Layer<Value>, key: string): void {
    this.#preserve(key);
    const value = layer.values.get(key);
    layer.put(key, undefined);
    layer.removed.put(key, undefined);
    this.#base.put(key, value);
  }

  #preserve(key: string): void {
    for (const snapshot of this.#snapshots) snapshot.preserve(key);
  }
}

class Snapshot<Value> implements MapSnapshot<Value> {
  readonly #map: LayeredMap<Value>;
  readonly #layer: Layer<Value> | undefined;
  readonly #preserved = new Map<string, Value | undefined>();
  readonly release: () => void;

  constructor(map: LayeredMap<Value>, layer: Layer<Value> | undefined, release: () => void) {
    this.#map = map;
    this.#layer = layer;
    this.release = release;
  }

  get(key: string): Value | undefined {
    return this.#preserved.has(key) ? this.#preserved.get(key) : this.#map.readThrough(this.#layer, key);
  }

  keys(prefix: string): string[] {
    return this.#withPreserved(this.#map.keysThrough(this.#layer, prefix), prefix);
  }

  *eachKey(prefix: string): Generator<string> {
    for (let after: string | undefined; ; ) {
      const keys = this.#map.keysThrough(this.#layer, prefix, after, batchSize);
      const end = keys.length === batchSize ? keys.at(-1) : undefined;
      yield* this.#withPreserved(keys, prefix, after, end);
      if (end === undefined) return;
      after = end;
    }
  }

  /** The keys of the map after `after`, up to `end`, as they were. */
  #withPreserved(keys: string[], prefix: string, after = '', end?: string): string[] {
    const preserved = [...this.#preserved.keys()].filter(
      (key) => key.startsWith(prefix) && key > after && (end === undefined || key <= end),
    );
    if (preserved.length === 0) return keys;
    return [...new Set([...keys, ...preserved])].filter((key) => this.get(key) !== undefined).sort();
  }

  preserve(key: string): void {
    if (!this.#preserved.has(key)) this.#preserved.set(key, this.get(key));
  }
}
