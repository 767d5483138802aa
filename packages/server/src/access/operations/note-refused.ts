/** What somebody brought that did not prove who it is. */
export type RefusedKind =
  | "password"
  | "code"
  | "sign_in_barred"
  | "single_sign_on"
  /** Of somebody who is signed in, asked for once more. */
  | "own_password"
  | "operator_token"
  | "operator_token_barred"
  | "invitation";

export interface RefusedCredential {
  readonly kind: RefusedKind;
  readonly address: string;
  /** The user whose email was given; null where it is nobody's. */
  readonly userId: string | null;
}

/** Refusals are logged and counted. They leave no audit entry, or anybody could fill the table. */
export type NoteRefused = (refused: RefusedCredential) => void;
