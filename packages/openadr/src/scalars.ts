import { parseDateTime } from "./date-time.js";
import { parseDuration } from "./duration.js";
import { type Element, optionalText, type QualifiedName, text } from "./element.js";
import { invalidData } from "./invalid-data.js";

const MAX_UNSIGNED_INT = 4_294_967_295;

export const optionalCount = (parent: Element, name: QualifiedName): number | null => {
  const raw = optionalText(parent, name);
  if (raw === null) return null;
  const count = /^\+?\d{1,10}$/.test(raw) ? Number(raw) : Number.NaN;
  if (!(count <= MAX_UNSIGNED_INT))
    throw invalidData(`${name} is not a number; give a whole one from 0 to ${MAX_UNSIGNED_INT}`);
  return count;
};

export const count = (parent: Element, name: QualifiedName): number => {
  const found = optionalCount(parent, name);
  if (found === null) throw invalidData(`${name} in ${parent.name} is missing or empty; give it a number`);
  return found;
};

export const decimal = (parent: Element, name: QualifiedName): number => {
  const value = Number(text(parent, name));
  if (!Number.isFinite(value)) throw invalidData(`${name} in ${parent.name} is not a number; write it as 1.0`);
  return value;
};

export const moment = (parent: Element, name: QualifiedName): Date => {
  const at = parseDateTime(text(parent, name));
  if (at === null) throw invalidData(`${name} is not a time; write it as 2026-06-01T12:00:00Z`);
  return at;
};

export const durationSeconds = (parent: Element, name: QualifiedName): number => {
  const seconds = parseDuration(text(parent, name));
  if (seconds === null) throw invalidData(`${name} is not a duration; write it as PT1H30M`);
  return seconds;
};

/** One of the words that the schema allows. */
export const oneOf = <Word extends string>(words: readonly Word[], found: string, name: QualifiedName): Word => {
  const word = words.find((each) => each === found);
  if (word === undefined) throw invalidData(`${name} is unknown; use one of ${words.join(", ")}`);
  return word;
};
