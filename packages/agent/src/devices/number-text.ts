import type { PointResult } from "./device.js";

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const QUOTED = 40;

/** The number in a text: the text itself, or the member of its JSON that a path such as `emeters[0].power` names. */
export const numberIn = (text: string, path: string | null): PointResult => {
  if (path === null) return numberOf(text.trim());
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: `${quoted(text)} is not JSON` };
  }
  for (const name of stepsOf(path)) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return { fault: `has no ${path}` };
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return numberOf(value);
};

const numberOf = (value: unknown): PointResult => {
  if (typeof value === "number" && Number.isFinite(value)) return { value };
  if (typeof value === "string" && NUMBER.test(value)) return { value: Number(value) };
  return {
    fault: `${quoted(typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing"))} is not a number`,
  };
};

const stepsOf = (path: string): readonly string[] => path.split(/[.[\]]+/).filter((step) => step !== "");

const quoted = (text: string): string => `"${text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text}"`;
