export interface PageRequest<C = number> {
  /** Cursor of the previous page; null for the first page. */
  readonly after: C | null;
  readonly limit: number;
}

export interface Page<T, C = number> {
  readonly items: readonly T[];
  readonly next: C | null;
}

const ITEMS_AT_ONCE = 500;

/** Every item of a paged list, a page at a time in memory. */
export async function* everyItem<T, C>(list: (page: PageRequest<C>) => Promise<Page<T, C>>): AsyncGenerator<T> {
  let after: C | null = null;
  do {
    const page: Page<T, C> = await list({ after, limit: ITEMS_AT_ONCE });
    yield* page.items;
    after = page.next;
  } while (after !== null);
}

/** How many of the first items have at most `most` parts together; at least one, which alone may have more. */
export const fitting = (parts: readonly number[], most: number): number => {
  let sum = 0;
  const past = parts.findIndex((count) => (sum += count) > most);
  return past < 0 ? parts.length : Math.max(past, 1);
};
