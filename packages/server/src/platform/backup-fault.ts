/**
 * Why a backup is refused.
 *
 * - `not_a_backup`: the file does not begin as one.
 * - `cut_short`: it ends too early.
 * - `changed`: a byte of it is not what was written.
 * - `wrong_key`: it is for other keys, or no key was given.
 * - `newer_format`, `newer_schema`, `other_schema`: another version of Curtail made it.
 * - `no_keys`: it would lack the key of the secrets that are in it.
 * - `foreign_table`: the database has tables of something else.
 * - `distributed`: the database has its readings on several nodes, of which there is no one moment.
 * - `taken`: something is already where it is to go.
 * - `no_space`: the disk has less room than it needs.
 * - `not_held`: delivery cannot be held in a database that was restored by other means.
 * - `standby`: the standby that it is read from cannot be read, or not to the end.
 */
export type BackupFaultKind =
  | "not_a_backup"
  | "cut_short"
  | "changed"
  | "wrong_key"
  | "newer_format"
  | "newer_schema"
  | "other_schema"
  | "no_keys"
  | "foreign_table"
  | "distributed"
  | "taken"
  | "no_space"
  | "not_held"
  | "standby";

/** A backup that cannot be used, or may not be written there; the message says what to do. */
export class BackupFault extends Error {
  constructor(
    readonly kind: BackupFaultKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Every block is authentic, so this is a fault of what wrote it, or of a file that was made by hand. */
export const damagedContent = (what: string, cause?: unknown): BackupFault =>
  new BackupFault("changed", `The backup's content is damaged: ${what}. Use an earlier backup.`, { cause });
