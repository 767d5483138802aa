/** A value that was read, or why there is none. */
export type PointResult = { readonly value: number } | { readonly fault: string };

/** Something that is asked for values. */
export interface Reader<Point> {
  /** Never throws: a device that does not answer is a fault of each point. In the order of the points. */
  read(points: readonly Point[]): Promise<readonly PointResult[]>;
}

/** What a value is written for; commands receive it. */
export interface WriteContext {
  readonly site: string;
  readonly output: string;
  readonly phase: string;
  readonly cause: string;
  readonly dispatches: readonly string[];
  readonly commitmentKw: number | null;
}

/** Something that values are written to. */
export interface Writer<Point> {
  /**
   * Writes a value; null releases the point.
   *
   * @throws if the device did not confirm it
   */
  write(point: Point, value: number | null, context: WriteContext): Promise<void>;
}

/** A connection that several points share. */
export interface Link {
  close(): Promise<void>;
}

/** Libraries also throw objects that only look like errors. */
export const messageOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error);

/** Down to the first cause: `fetch failed` says nothing. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof Error && error.cause instanceof Error) return reasonOf(error.cause);
  return messageOf(error) || (error instanceof Error ? error.name : "");
};

/** `points` with the same fault each. */
export const allFaulty = (points: readonly unknown[], fault: string): readonly PointResult[] =>
  points.map(() => ({ fault }));
