/** Whose view of an account a card shows: its own people's, or the operators'. */
export type Side = "own" | "operators";
