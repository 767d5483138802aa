import { Batcher } from "./batcher.js";

export interface Remembering<V> {
  /** Reads the values of these keys, in their order. */
  readonly load: (keys: readonly string[]) => Promise<readonly V[]>;
  /** Approximate size in memory. */
  readonly bytesOf: (value: V) => number;
  /** Beyond this, the values that were not loaded for the longest time are forgotten. */
  readonly mostBytes: number;
}

interface Held<V> {
  readonly stamp: string;
  readonly value: V;
  readonly bytes: number;
}

/** Remembers values with the stamp that was current before they were read; a value holds while the stamp stays. */
export class FreshMemory<V> {
  private readonly held = new Map<string, Held<V>>();
  private readonly loading: Batcher<string, { readonly value: V }>;
  private bytes = 0;

  constructor(private readonly remembering: Remembering<V>) {
    const work = async (keys: readonly string[]) => (await remembering.load(keys)).map((value) => ({ value }));
    this.loading = new Batcher({ work, atOnce: 2 });
  }

  /** undefined: not in memory, or changed since. */
  known(key: string, stamp: string): V | undefined {
    const held = this.held.get(key);
    return held?.stamp === stamp ? held.value : undefined;
  }

  /** @param stamp read before this call */
  async find(key: string, stamp: string): Promise<V> {
    const known = this.known(key, stamp);
    if (known !== undefined) return known;
    const { value } = await this.loading.add(key);
    this.hold(key, { stamp, value, bytes: this.remembering.bytesOf(value) });
    return value;
  }

  private hold(key: string, held: Held<V>): void {
    this.forget(key);
    this.held.set(key, held);
    this.bytes += held.bytes;
    for (const oldest of this.held.keys()) {
      if (this.bytes <= this.remembering.mostBytes) break;
      this.forget(oldest);
    }
  }

  private forget(key: string): void {
    this.bytes -= this.held.get(key)?.bytes ?? 0;
    this.held.delete(key);
  }
}
