/** A paged list. `more` loads the next page; null at the end. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly isPending: boolean;
  readonly error: Error | null;
  /** Asks again. */
  readonly retry?: () => void;
  readonly more: (() => void) | null;
  readonly isLoadingMore: boolean;
}
