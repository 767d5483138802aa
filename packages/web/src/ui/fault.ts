/** What is wrong with what was sent, in words for people. */
export interface MemberFault {
  /** Of the body, like `openadr.ramp_up_seconds`; null where it is of no single member. */
  readonly member: string | null;
  readonly words: string;
  /** The same where no field stands beside it. */
  readonly alone: string;
}

/** An error that says which fields are at fault. */
export abstract class FieldError extends Error {
  abstract readonly faults: readonly MemberFault[];
}

/** The faults that an error names; one of no single member for an error that names none. */
export const faultsIn = (error: Error): readonly MemberFault[] =>
  error instanceof FieldError ? error.faults : [{ member: null, words: error.message, alone: error.message }];

/** The whole of it, where there are no fields. */
export const faultWords = (error: Error): string =>
  faultsIn(error)
    .map(({ alone }) => alone)
    .join(" ");
