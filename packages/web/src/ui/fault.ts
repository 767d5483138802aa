/** A fault of a request, in words for users. */
export interface MemberFault {
  /** Member of the body, for example `openadr.ramp_up_seconds`; null if it concerns no single member. */
  readonly member: string | null;
  readonly words: string;
  /** The same for use without a field, with the name of the member. */
  readonly alone: string;
}

/** An error that names the fields at fault. */
export abstract class FieldError extends Error {
  abstract readonly faults: readonly MemberFault[];
}

/** The faults of an error; one without a member if the error names none. */
export const faultsIn = (error: Error): readonly MemberFault[] =>
  error instanceof FieldError ? error.faults : [{ member: null, words: error.message, alone: error.message }];

/** All faults as one text, for use without fields. */
export const faultWords = (error: Error): string =>
  faultsIn(error)
    .map(({ alone }) => alone)
    .join(" ");
