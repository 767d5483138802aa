interface Sized<V> {
  readonly value: V;
  readonly bytes: number;
}

/** A map of a bounded size in bytes: beyond it, what was set for the longest time is forgotten. */
export class BoundedMap<V> {
  private readonly sized = new Map<string, Sized<V>>();
  private total = 0;

  constructor(private readonly mostBytes: number) {}

  /** Of all values, as said when they were set. */
  get bytes(): number {
    return this.total;
  }

  get(key: string): V | undefined {
    return this.sized.get(key)?.value;
  }

  set(key: string, value: V, bytes: number): void {
    this.delete(key);
    this.sized.set(key, { value, bytes });
    this.total += bytes;
    for (const oldest of this.sized.keys()) {
      if (this.total <= this.mostBytes) break;
      this.delete(oldest);
    }
  }

  clear(): void {
    this.sized.clear();
    this.total = 0;
  }

  private delete(key: string): void {
    this.total -= this.sized.get(key)?.bytes ?? 0;
    this.sized.delete(key);
  }
}
