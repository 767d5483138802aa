/** An expected failure, as a value: a code that each channel maps to its own answer, and what to do about it. */
export class Refusal {
  constructor(
    readonly code: "invalid" | "not_found",
    readonly message: string,
  ) {}
}

export type Result<T> = T | Refusal;

export const invalid = (message: string): Refusal => new Refusal("invalid", message);

/** A foreign object and an absent one are answered alike (G4), so the message never says which. */
export const notFound = (what: string): Refusal => new Refusal("not_found", `No such ${what}; check the id.`);

export const isRefusal = (result: unknown): result is Refusal => result instanceof Refusal;
