/** An expected failure, as a value: a code that each channel maps to its own answer, and a message with what to do. */
export class Refusal {
  constructor(
    readonly code: "invalid" | "denied" | "not_found" | "conflict" | "too_many",
    readonly message: string,
    /** For "too_many". */
    readonly retryAfterSeconds: number | null = null,
  ) {}
}

export type Result<T> = T | Refusal;

export const invalid = (message: string): Refusal => new Refusal("invalid", message);

/** The caller is not authenticated, or not sufficiently. */
export const denied = (message: string): Refusal => new Refusal("denied", message);

/** The request may succeed at another time: something else is under way. */
export const conflict = (message: string): Refusal => new Refusal("conflict", message);

export const tooMany = (message: string, retryAfterSeconds: number): Refusal =>
  new Refusal("too_many", `${message}; wait ${retryAfterSeconds} seconds`, retryAfterSeconds);

/** Objects of others and absent ones are answered alike (G4), so the message never says which. */
export const notFound = (what: string): Refusal => new Refusal("not_found", `No such ${what}; check the id.`);

export const isRefusal = (result: unknown): result is Refusal => result instanceof Refusal;

/** What `make` makes of a result; a refusal stays one. */
export const mapResult = async <T, U>(
  result: Promise<Result<T>>,
  make: (value: T) => Result<U> | Promise<Result<U>>,
): Promise<Result<U>> => {
  const found = await result;
  return isRefusal(found) ? found : make(found);
};

/** For an answer without a body. */
export const done = (result: Promise<Result<unknown>>): Promise<Result<undefined>> =>
  mapResult(result, () => undefined);
