/** Whether a card shows an account to its own users or to operators. */
export type Side = "own" | "operators";
