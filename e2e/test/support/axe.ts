import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

type Violation = Awaited<ReturnType<AxeBuilder["analyze"]>>["violations"][number];

/**
 * What axe finds wrong with the open page, of all rules or of some. Legacy mode evaluates the rules in the page itself; the
 * other one opens a second page for each run, for the sake of frames, which our pages do not have.
 */
export const axeViolations = async (page: Page, rules?: readonly string[]): Promise<readonly Violation[]> => {
  const runOnly = rules === undefined ? {} : { runOnly: { type: "rule" as const, values: [...rules] } };
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"], ...runOnly });
  return (await axe.analyze()).violations;
};

/** In a form that says in a failed test where to look. */
export const asWords = (violations: readonly Violation[]): readonly string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
