import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { asWords, axeViolations } from "./axe.js";
import type { Looks, Theme, Visit } from "./visit.js";

/**
 * Opens every look of every page anew, checks it by all axe rules and takes a picture. Otherwise a page is opened once
 * and resized, and axe checks it in one look, and its contrast once in the other theme.
 */
const isThorough = process.env["CI"] !== undefined || process.env["PICTURES"] === "1";

/** Folder for pictures of pages, for people to look at. */
const pictures = fileURLToPath(new URL("../../screenshots/", import.meta.url));

/** A phone and a wall display, in light and dark. */
const everyLook = [
  { theme: "light", widthPx: 1920 },
  { theme: "light", widthPx: 390 },
  { theme: "dark", widthPx: 390 },
  { theme: "dark", widthPx: 1920 },
] as const;

/** A page to look at, and what it must show first. */
interface Sight {
  readonly address: string;
  readonly name: string;
  readonly ready?: (page: Page) => Promise<unknown>;
}

/** A chart is redrawn a moment after its window is resized; later on a busy machine. */
const REDRAWN_MS = 15_000;

/** Enough for each look of twenty pages on a busy machine. */
export const LOOKS_MS = isThorough ? 960_000 : 240_000;

/** Opens each page and expects it to be sound in each look. `open` opens a window. */
export const expectSoundInEachLook = async (
  open: (looks: Looks) => Promise<Visit>,
  sights: readonly Sight[],
  redrawnMs = REDRAWN_MS,
): Promise<void> => {
  for (const looks of isThorough ? everyLook : [everyLook[0]]) {
    const visited = await open(looks);
    for (const sight of sights) {
      await visited.page.goto(sight.address);
      await sight.ready?.(visited.page);
      if (isThorough) await expectSound(visited, sight.name, redrawnMs);
      else await expectSoundResized(visited, sight.name, redrawnMs);
    }
    await visited.page.close();
  }
};

const expectSoundResized = async (visited: Visit, name: string, redrawnMs: number): Promise<void> => {
  const height = visited.page.viewportSize()?.height ?? 0;
  for (const { theme, widthPx } of everyLook) {
    await visited.page.emulateMedia({ colorScheme: theme });
    await visited.page.setViewportSize({ width: widthPx, height });
    await expectSound(visited, name, redrawnMs);
  }
};

/** Opens a page and expects it to be sound. */
export const lookAt = async (visited: Visit, address: string, name: string): Promise<void> => {
  await visited.page.goto(address);
  await expectSound(visited, name);
};

/** Requirements of every page: no errors, one h1, nothing wider than the window, no serious finding of axe. */
export const expectSound = async ({ page, faults }: Visit, name: string, redrawnMs = REDRAWN_MS): Promise<void> => {
  await page.locator("h1").first().waitFor();
  await expect.poll(() => page.getByText("Loading…").count()).toBe(0);
  const { width } = page.viewportSize() ?? { width: 0 };
  const theme = await themeOf(page);
  if (isThorough) await takePicture(page, `${name}-${theme}-${width}`);
  expect(await page.locator("h1").count()).toBe(1);
  const message = `${name} is wider than its window`;
  await expect
    .poll(() => page.evaluate("document.documentElement.scrollWidth"), { message, timeout: redrawnMs })
    .toBeLessThanOrEqual(width);
  await expectAxeContent(page, name, theme);
  expect(faults).toEqual([]);
};

const themeOf = (page: Page): Promise<Theme> =>
  page.evaluate<Theme>("matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'");

const takePicture = async (page: Page, name: string): Promise<void> => {
  const path = `${pictures}${name}.jpeg`;
  mkdirSync(dirname(path), { recursive: true });
  // Takes a fraction of the time of a PNG.
  await page.screenshot({ path, type: "jpeg", quality: 85, fullPage: true });
};

/** Themes in which a page was checked, by test file and name. */
const examined = new Map<string, Set<Theme>>();

const expectAxeContent = async (page: Page, name: string, theme: Theme): Promise<void> => {
  const key = `${expect.getState().testPath} ${name}`;
  const themes = examined.get(key) ?? new Set();
  if (!isThorough && themes.has(theme)) return;
  // A theme only changes colours.
  const rules = isThorough || themes.size === 0 ? undefined : ["color-contrast"];
  const violations = await axeViolations(page, rules);
  examined.set(key, themes.add(theme));
  expect(asWords(violations.filter(({ impact }) => impact === "serious" || impact === "critical"))).toEqual([]);
};
