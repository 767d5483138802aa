const PAGE_BITS = 10;
const PAGE = 1 << PAGE_BITS;

/** A number for each key; 0: it has none. Eight bytes each in pages, as keys of meters and sites are mostly close together. */
export class NumbersByKey {
  private readonly pages = new Map<number, Float64Array>();

  get(key: number): number {
    return this.pages.get(key >> PAGE_BITS)?.[key & (PAGE - 1)] ?? 0;
  }

  set(key: number, value: number): void {
    let page = this.pages.get(key >> PAGE_BITS);
    if (page === undefined) {
      page = new Float64Array(PAGE);
      this.pages.set(key >> PAGE_BITS, page);
    }
    page[key & (PAGE - 1)] = value;
  }

  clear(): void {
    this.pages.clear();
  }

  /** Keys whose number is not below a limit, which may grow meanwhile: in their order, up to 1,024 at once. */
  *keys(limit: () => number): Generator<number[]> {
    for (const page of [...this.pages.keys()].toSorted((a, b) => a - b)) {
      const least = limit();
      const found: number[] = [];
      for (const [at, value] of (this.pages.get(page) ?? []).entries())
        if (value >= least) found.push((page << PAGE_BITS) + at);
      if (found.length > 0) yield found;
    }
  }
}
