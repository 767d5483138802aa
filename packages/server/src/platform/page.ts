export interface PageRequest<C = number> {
  /** Cursor of the previous page; null for the first page. */
  readonly after: C | null;
  readonly limit: number;
}

export interface Page<T, C = number> {
  readonly items: readonly T[];
  readonly next: C | null;
}
