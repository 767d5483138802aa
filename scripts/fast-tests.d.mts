/** The test files that a change concerns, as many as there is time for. */
export declare const fastTests: (of: {
  readonly files: readonly string[];
  /** null: nobody knows. */
  readonly changed: readonly string[] | null;
  /** What files took the last time. */
  readonly seconds: ReadonlyMap<string, number>;
  readonly mostSeconds?: number;
}) => { readonly chosen: readonly string[]; readonly left: readonly string[] };
