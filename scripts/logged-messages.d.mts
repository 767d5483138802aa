/** A call of a logger in the sources of the service. */
export interface LoggedCall {
  readonly file: string;
  readonly level: "debug" | "info" | "warn" | "error" | "fatal";
  /** A value is `{}`. */
  readonly messages: readonly string[];
  readonly members: readonly string[];
}

export const GIVEN_MESSAGES: Readonly<Record<string, readonly string[]>>;
export function loggedMessages(): readonly LoggedCall[];
export function sourcesOfMessages(): string;
export function callsIn(file: string, source: string): readonly LoggedCall[];
