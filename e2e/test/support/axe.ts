import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults, Result, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Violations that axe finds on the open page, by all rules or by some, in all of it or in one element. It runs in the
 * page itself: our pages have no frames.
 */
export const axeViolations = async (
  page: Page,
  rules?: readonly string[],
  element = "html",
): Promise<readonly Result[]> => {
  // Loaded once per page: loading takes as long as running a rule.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(source);
  const options: RunOptions = { resultTypes: ["violations"], ...(rules === undefined ? {} : { runOnly: [...rules] }) };
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(element)}, ${JSON.stringify(options)})`,
  );
  return violations;
};

/** As text that shows in a failed test where to look. */
export const asWords = (violations: readonly Result[]): readonly string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
