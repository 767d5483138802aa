import type { Doubt } from "./mapping.js";

/** What a guess has found, and asks. */
export interface Findings {
  readonly reasons: string[];
  readonly doubts: Doubt[];
  /** Members that are defaults, since nothing in the file decides: of a column of values, as `values[3].kind`. */
  readonly assumed: Set<string>;
  /** Members that are stated about this file alone, since a line above its header raises their question; named likewise. */
  readonly passing: Set<string>;
  /** More lines may settle something that is no doubt yet. */
  isOpen: boolean;
}

/** How much of a column must be of a kind: files have odd cells. */
export const MOST = 0.9;

/** A column's name in reasons and questions. */
export const shown = (name: string): string => (name === "" ? "without a name" : `"${name.slice(0, 60)}"`);
