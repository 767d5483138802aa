/** What is wrong with a message that was not understood. */
export type Fault =
  | "too_large"
  | "encoding"
  | "doctype"
  | "processing_instruction"
  | "too_deep"
  | "too_many_elements"
  | "not_well_formed"
  | "unknown_message"
  | "invalid_content";

/**
 * A message that was not understood, to be answered with an `oadrResponse` that carries the response code 454 and the
 * description.
 */
export interface Refusal {
  readonly kind: "refusal";
  readonly responseCode: "454";
  readonly fault: Fault;
  /** What is wrong and what to do, without anything from the message that could be harmful in a log. */
  readonly description: string;
}

/** Thrown inside this package by what reads a message, and turned into a `Refusal` by `parseMessage`. */
export class InvalidData extends Error {
  constructor(
    readonly fault: Fault,
    description: string,
  ) {
    super(description);
    this.name = "InvalidData";
  }
}

export const invalidData = (description: string): InvalidData => new InvalidData("invalid_content", description);
