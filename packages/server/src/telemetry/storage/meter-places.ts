const PAGE_BITS = 10;
const PAGE = 1 << PAGE_BITS;

/** A place for each meter, from 1 on; 0: it has none. In pages, as numbers of meters are mostly close together. */
export class MeterPlaces {
  private readonly pages = new Map<number, Float64Array>();

  get(meter: number): number {
    return this.pages.get(meter >> PAGE_BITS)?.[meter & (PAGE - 1)] ?? 0;
  }

  set(meter: number, place: number): void {
    let page = this.pages.get(meter >> PAGE_BITS);
    if (page === undefined) {
      page = new Float64Array(PAGE);
      this.pages.set(meter >> PAGE_BITS, page);
    }
    page[meter & (PAGE - 1)] = place;
  }

  clear(): void {
    this.pages.clear();
  }

  /** Meters whose place is not before the first one that is kept, in the order of their numbers, up to 1,024 at once. */
  *meters(firstKept: () => number): Generator<number[]> {
    for (const number of [...this.pages.keys()].toSorted((a, b) => a - b)) {
      const first = firstKept();
      const meters: number[] = [];
      for (const [at, place] of (this.pages.get(number) ?? []).entries())
        if (place >= first) meters.push((number << PAGE_BITS) + at);
      if (meters.length > 0) yield meters;
    }
  }
}
