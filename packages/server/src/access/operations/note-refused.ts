/** The kind of a refused credential. */
export type RefusedKind =
  | "password"
  | "code"
  | "sign_in_barred"
  | "single_sign_on"
  /** Of a signed-in user, asked for again. */
  | "own_password"
  | "operator_token"
  | "operator_token_barred"
  /** Of an OpenADR 3 client. */
  | "client_secret"
  | "client_secret_barred"
  | "invitation";

export interface RefusedCredential {
  readonly kind: RefusedKind;
  readonly address: string;
  /** The user of the email; null if nobody has it. */
  readonly userId: string | null;
}

/** Refusals are logged and counted. They leave no audit entries, or anybody could fill the table. */
export type NoteRefused = (refused: RefusedCredential) => void;
