/** Scopes that operations ask for. `read_bl` is asked for, though the specification's list of scopes lacks it. */
export const scopes = [
  "read_all",
  "read_bl",
  "read_targets",
  "read_ven_objects",
  "write_programs",
  "write_events",
  "write_reports",
  "write_subscriptions",
  "write_vens",
] as const;
export type Scope = (typeof scopes)[number];

/** Business logic, or a VEN. */
export type Role = "bl" | "ven";

/**
 * What a client of a role may have. What it sees of the objects it may read depends on the role: `read_all` only opens
 * operations that are open to everyone.
 */
export const scopesOf: Readonly<Record<Role, readonly Scope[]>> = {
  bl: scopes.filter((scope) => scope !== "write_reports"),
  ven: ["read_all", "read_targets", "read_ven_objects", "write_reports", "write_subscriptions", "write_vens"],
};

/** The scopes of a token: those asked for, or all; null if one of them is unknown or not the client's. */
export const grantedScopes = (own: readonly Scope[], asked: string): readonly Scope[] | null => {
  const names = asked.split(" ").filter((name) => name !== "");
  if (names.length === 0) return own;
  const granted = own.filter((scope) => names.includes(scope));
  return names.every((name) => (granted as readonly string[]).includes(name)) ? granted : null;
};

/** What `read_all` opens, too: the Definition's notes list it with them, and clients of 3.0 ask for nothing else. */
const openToReaders: readonly Scope[] = ["read_targets", "read_ven_objects"];

/** Whether scopes allow an operation that asks for one. */
export const allows = (scopes: readonly Scope[], needed: Scope): boolean =>
  scopes.includes(needed) || (openToReaders.includes(needed) && scopes.includes("read_all"));
