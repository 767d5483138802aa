interface Held<V> {
  readonly stamp: string;
  readonly value: Promise<V>;
}

/** Remembers what was found by name while the stamp that was current before stays the same; questions together ask once. */
export class StampedMemory<V> {
  private readonly held = new Map<string, Held<V>>();

  /** @param isKept whether to remember the value: made-up names must not fill the memory */
  constructor(private readonly isKept: (value: V) => boolean) {}

  /** @param stamp read before this call */
  find(name: string, stamp: string, load: () => Promise<V>): Promise<V> {
    const known = this.held.get(name);
    if (known?.stamp === stamp) return known.value;
    const held = { stamp, value: load() };
    this.held.set(name, held);
    const forget = (): void => {
      if (this.held.get(name) === held) this.held.delete(name);
    };
    held.value.then((value) => {
      if (!this.isKept(value)) forget();
    }, forget);
    return held.value;
  }
}
