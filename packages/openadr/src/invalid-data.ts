/** The fault of a message that was not understood. */
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
 * The result for a message that was not understood: answer it with an `oadrResponse` that has response code 454 and the
 * description.
 */
export interface Refusal {
  readonly kind: "refusal";
  readonly responseCode: "454";
  readonly fault: Fault;
  /** The fault and what to do, without anything from the message that could be harmful in a log. */
  readonly description: string;
}

/** Thrown inside this package while reading a message; `parseMessage` turns it into a `Refusal`. */
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
