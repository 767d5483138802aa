const PAGE_BITS = 10;
const PAGE = 1 << PAGE_BITS;

/** A place for each number, from 1 on; 0: it has none. In pages, as numbers of meters are mostly close together. */
export class PlacesByNumber {
  private readonly pages = new Map<number, Float64Array>();

  get(nth: number): number {
    return this.pages.get(nth >> PAGE_BITS)?.[nth & (PAGE - 1)] ?? 0;
  }

  set(nth: number, place: number): void {
    let page = this.pages.get(nth >> PAGE_BITS);
    if (page === undefined) {
      page = new Float64Array(PAGE);
      this.pages.set(nth >> PAGE_BITS, page);
    }
    page[nth & (PAGE - 1)] = place;
  }

  clear(): void {
    this.pages.clear();
  }

  /** Those whose place is not before the first one that is kept, in their order, up to 1,024 at once. */
  *numbers(firstKept: () => number): Generator<number[]> {
    for (const number of [...this.pages.keys()].toSorted((a, b) => a - b)) {
      const first = firstKept();
      const kept: number[] = [];
      for (const [at, place] of (this.pages.get(number) ?? []).entries())
        if (place >= first) kept.push((number << PAGE_BITS) + at);
      if (kept.length > 0) yield kept;
    }
  }
}
