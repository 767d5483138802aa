import { OVERRIDE_MODES, type OverrideMode } from "./override.js";

/** What somebody asks for; `mode` null withdraws the override. */
export interface OverrideCommand {
  readonly mode: OverrideMode | null;
  readonly who: string;
  /** null: until it is withdrawn. */
  readonly minutes: number | null;
}

const LONGEST_NAME = 80;
const LONGEST_MINUTES = 7 * 24 * 60;

/**
 * Reads a message such as `normal`, `auto` or `{"mode": "normal", "who": "Anna", "minutes": 60}`; `auto` withdraws.
 * Returns what is wrong with any other.
 */
export const parseOverrideCommand = (text: string): OverrideCommand | { readonly fault: string } => {
  const given = text.trim().startsWith("{") ? parsed(text) : { mode: text.trim() };
  if (given === null) return { fault: "is not JSON" };
  const { mode, who = "", minutes = null } = given;
  const found = [...OVERRIDE_MODES, "auto" as const].find((each) => each === mode);
  if (found === undefined) return { fault: `mode must be one of ${OVERRIDE_MODES.join(", ")}, auto` };
  if (typeof who !== "string" || who.length > LONGEST_NAME)
    return { fault: `who must be a name of at most ${LONGEST_NAME} characters` };
  if (minutes !== null && !isMinutes(minutes)) return { fault: `minutes must be from 1 to ${LONGEST_MINUTES}` };
  return { mode: found === "auto" ? null : found, who, minutes };
};

const isMinutes = (value: unknown): value is number =>
  typeof value === "number" && value >= 1 && value <= LONGEST_MINUTES;

const parsed = (text: string): { mode?: unknown; who?: unknown; minutes?: unknown } | null => {
  try {
    return JSON.parse(text) as { mode?: unknown };
  } catch {
    return null;
  }
};
