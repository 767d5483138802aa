import { Batcher } from "./batcher.js";
import { BoundedMap } from "./bounded-map.js";

export interface Remembering<V> {
  /** Reads the values of these keys, in their order. */
  readonly load: (keys: readonly string[]) => Promise<readonly V[]>;
  /** Approximate size in memory. */
  readonly bytesOf: (value: V) => number;
  /** Beyond this, the values that were not loaded for the longest time are forgotten. */
  readonly mostBytes: number;
  /** Whether a value that was loaded at a stamp holds still; unless said, while the stamp is the same. */
  readonly holds?: (value: V, loadedAt: string, stamp: string) => boolean;
}

interface Held<V> {
  readonly stamp: string;
  readonly value: V;
}

const isSame = (_value: unknown, loadedAt: string, stamp: string): boolean => loadedAt === stamp;

/** Remembers values with the stamp that was current before they were read; a value holds while the stamp stays. */
export class FreshMemory<V> {
  private readonly held: BoundedMap<Held<V>>;
  private readonly loading: Batcher<string, { readonly value: V }>;

  constructor(private readonly remembering: Remembering<V>) {
    const work = async (keys: readonly string[]) => (await remembering.load(keys)).map((value) => ({ value }));
    this.held = new BoundedMap(remembering.mostBytes);
    this.loading = new Batcher({ work, atOnce: 2 });
  }

  /** undefined: not in memory, or changed since. */
  known(key: string, stamp: string): V | undefined {
    const held = this.held.get(key);
    if (held === undefined) return undefined;
    const { holds = isSame } = this.remembering;
    return holds(held.value, held.stamp, stamp) ? held.value : undefined;
  }

  /** @param stamp read before this call */
  async find(key: string, stamp: string): Promise<V> {
    const known = this.known(key, stamp);
    if (known !== undefined) return known;
    const { value } = await this.loading.add(key);
    this.held.set(key, { stamp, value }, this.remembering.bytesOf(value));
    return value;
  }

  /** Those of several keys, in their order. @param stamp read before this call */
  async findAll(keys: readonly string[], stamp: string): Promise<readonly V[]> {
    const values: V[] = [];
    const waiting: Array<Promise<void>> = [];
    // A promise for each that is known would take longer than looking it up.
    for (const [at, key] of keys.entries()) {
      const known = this.known(key, stamp);
      if (known !== undefined) values[at] = known;
      else waiting.push(this.find(key, stamp).then((value) => void (values[at] = value)));
    }
    await Promise.all(waiting);
    return values;
  }
}
