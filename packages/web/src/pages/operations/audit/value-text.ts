import { say } from "@curtail/words/page";
import { count, decimal, exactPercent } from "../../../format/quantity.js";
import { duration, exact } from "../../../format/time.js";
import type { Changed } from "../../../rules/difference.js";
import { isData, valueWords } from "./value-words.js";

type Path = readonly string[];

/** A dash stands for nothing where a member was set before or is now; null where there was no such member. */
export const changeTexts = ({ path, before, after }: Changed, kind: string, timeZone: string) => {
  const [from, to] = [before, after].map((value) => valueText(value, [kind, ...path], timeZone));
  return {
    path,
    from: from ?? (before === undefined || to === null ? null : "–"),
    to: to ?? (after === undefined || from === null ? null : "–"),
  };
};

/** A value as other pages show it, and never rounded; null if there is none. What people or programs wrote stays as it is. */
export const valueText = (value: unknown, path: Path, timeZone: string): string | null => {
  if (isNothing(value)) return null;
  if (Array.isArray(value)) return value.map((each) => elementText(each, path, timeZone)).join("; ");
  return textOf(value, path, timeZone);
};

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** An element of a list: its members in a row. */
const elementText = (element: unknown, path: Path, timeZone: string): string => {
  if (isNothing(element)) return "–";
  if (Array.isArray(element)) return element.map((each) => elementText(each, path, timeZone)).join(", ");
  if (typeof element !== "object" || element === null) return textOf(element, path, timeZone);
  return Object.entries(element)
    .map(([name, each]) => elementText(each, [...path, name], timeZone))
    .join(" ");
};

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const textOf = (value: unknown, path: Path, timeZone: string): string => {
  if (typeof value === "boolean") return value ? say("yes") : say("no");
  const name = path.at(-1) ?? "";
  if (typeof value === "number") return valueWords(path, value) ?? numberText(value, name);
  if (typeof value !== "string") return JSON.stringify(value);
  if (isData(path)) return value;
  if (MOMENT.test(value)) return exact(value, timeZone);
  return valueWords(path, value) ?? amountText(value, name);
};

/** Ratios, also those that are decimals as text. */
const ratios: ReadonlySet<string> = new Set([
  "amber_from",
  "below",
  "green_from",
  "green_to",
  "highest",
  "highest_share",
  "least_coverage",
  "lowest",
]);
const prices: ReadonlySet<string> = new Set(["highest_per_month", "price_per_kw", "price_per_kwh"]);

const numberText = (value: number, name: string): string => {
  if (name.endsWith("_seconds")) return lengthText(value);
  return ratios.has(name) ? exactPercent(value) : decimal(String(value));
};

const amountText = (value: string, name: string): string => {
  if (prices.has(name)) return decimal(value);
  return ratios.has(name) ? exactPercent(Number(value)) : value;
};

/** In seconds where hours and minutes would not be exact. */
const lengthText = (seconds: number): string => {
  const unit = seconds < 86_400 ? 60 : 3600;
  return seconds < 60 || seconds % unit === 0 ? duration(seconds * 1000) : `${count(seconds)} s`;
};
