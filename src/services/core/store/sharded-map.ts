/** Entries of the first shard: beyond them, they are distributed over `shardCount`. */
const maxFirstEntries = 4_096;
const shardCount = 256;

/** A map with text keys that grows without a pause: a Map that runs out of room moves all its entries at once. */
export class ShardedMap<Value> {
  #shards: Map<string, Value>[] = [new Map()];

  get(key: string): Value | undefined {
    return this.#shardOf(key).get(key);
  }

  has(key: string): boolean {
    return this.#shardOf(key).has(key);
  }

  set(key: string, value: Value): void {
    this.#shardOf(key).set(key, value);
    if (this.#shards.length === 1 && (this.#shards[0]?.size ?? 0) > maxFirstEntries) this.#distribute();
  }

  get size(): number {
    return this.#shards.reduce((sum, { size }) => sum + size, 0);
  }

  /** The entries, in no order. */
  *[Symbol.iterator](): Generator<[key: string, value: Value]> {
    for (const shard of this.#shards) yield* shard;
  }

  clear(): void {
    this.#shards = [new Map()];
  }

  delete(key: string): void {
    this.#shardOf(key).delete(key);
  }

  #distribute(): void {
    const entries = this.#shards[0] ?? [];
    this.#shards = Array.from({ length: shardCount }, () => new Map());
    for (const [key, value] of entries) this.#shardOf(key).set(key, value);
  }

  #shardOf(key: string): Map<string, Value> {
    const at = this.#shards.length === 1 ? 0 : hashOf(key) % shardCount;
    return this.#shards[at] as Map<string, Value>;
  }
}

/** Code units of a key that are hashed, evenly distributed. */
const hashedUnits = 12;

function hashOf(key: string): number {
  let hash = key.length;
  const step = Math.max(1, Math.floor(key.length / hashedUnits));
  for (let at = key.length - 1; at >= 0; at -= step) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  // The low bits alone would follow the first characters.
  return (hash ^ (hash >>> 15)) >>> 0;
}
