import { existsSync } from "node:fs";
import type pg from "pg";
import { expect } from "vitest";

/**
 * In `npm test`, and in long files with variants of one of its files, whose tables stay as small. Other long files plan as the service
 * does in production, where tables grow.
 */
export const plansOnce = (): boolean => (process.env["TEST_PLANS"] ?? usualPlans()) === "once";

const LONG = ".long.test.ts";

const usualPlans = (): "once" | "anew" => {
  const { testPath = "" } = expect.getState();
  return testPath.endsWith(LONG) && existsSync(testPath.replace(LONG, ".test.ts")) ? "once" : "anew";
};

/** Of a connection: `reset all` comes back to it. */
export const ONE_PLAN_EACH = "-c plan_cache_mode=force_generic_plan";

/** What pools of queues ask for, since their tables grow a thousandfold: not those of tests. */
const PLAN_ANEW = "force_custom_plan";

const names = new Map<string, string>();

const nameOf = (text: string): string => {
  const name = names.get(text) ?? `text ${names.size}`;
  names.set(text, name);
  return name;
};

type Asked = string | pg.QueryConfig | pg.Submittable;

/** Gives a statement with values a name, so that the connection plans it once: plans were half of what tests cost a database. */
export const plannedOnce = (asked: Asked, values: unknown): Asked => {
  if (typeof asked === "string")
    return hasAny(values) ? { text: asked, name: nameOf(asked) } : asked.replaceAll(PLAN_ANEW, "force_generic_plan");
  if ("submit" in asked || asked.name !== undefined || !hasAny(asked.values ?? values)) return asked;
  return { ...asked, name: nameOf(asked.text) };
};

const hasAny = (values: unknown): boolean => Array.isArray(values) && values.length > 0;
