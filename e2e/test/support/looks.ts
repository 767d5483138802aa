import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Result } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { asWords, axeViolations } from "./axe.js";
import type { Looks, Theme, Visit } from "./visit.js";

const takesPictures = process.env["PICTURES"] === "1";

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
export const LOOKS_MS = 480_000;

/**
 * Goes to each page in a window that `open` opens, and expects it to be sound in each look that the window is given. axe
 * examines it in one look, and its contrast once in the other theme.
 */
export const expectSoundInEachLook = async (
  open: (looks: Looks) => Promise<Visit>,
  sights: readonly Sight[],
  redrawnMs = REDRAWN_MS,
): Promise<void> => {
  const visited = await open(everyLook[0]);
  const { page } = visited;
  const height = page.viewportSize()?.height ?? 0;
  for (const sight of sights) {
    await page.goto(sight.address);
    await sight.ready?.(page);
    for (const { theme, widthPx } of everyLook) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width: widthPx, height });
      await expectSound(visited, sight.name, redrawnMs);
    }
  }
  await page.close();
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
  await takePicture(page, `${name}-${theme}-${width}`);
  await expect.poll(() => page.locator("h1").count(), { timeout: redrawnMs }).toBe(1);
  const message = `${name} is wider than its window`;
  await expect
    .poll(() => page.evaluate("document.documentElement.scrollWidth"), { message, timeout: redrawnMs })
    .toBeLessThanOrEqual(width);
  await expectAxeContent(page, name, theme);
  expect(faults).toEqual([]);
};

/** The same for a page of what does not exist: the browser says so, once or more, until the page has asked for everything. */
export const expectSoundBut404 = async ({ faults, ...visit }: Visit, name: string): Promise<void> => {
  await expectSound({ ...visit, faults: [] }, name);
  expect(faults.length).toBeGreaterThan(0);
  for (const fault of faults) expect(fault).toMatch(/^error: .*404/);
};

/** A phone, a tablet, and the narrowest window with the navigation beside a table of all columns. */
const tableWidthsPx = [390, 768, 1280] as const;

/** All shown columns of a table are seen without scrolling sideways. */
export const expectWholeTable = async (page: Page, label: string): Promise<void> => {
  const table = page.getByRole("region", { name: label, exact: true });
  await table.waitFor();
  const height = page.viewportSize()?.height ?? 0;
  for (const width of tableWidthsPx) {
    await page.setViewportSize({ width, height });
    const hidden = () => table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await expect.poll(hidden, { message: `${label} at ${width} px` }).toBe(0);
  }
};

const themeOf = (page: Page): Promise<Theme> =>
  page.evaluate<Theme>("matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'");

export const expectNoneSerious = (violations: readonly Result[]): void =>
  expect(asWords(violations.filter(({ impact }) => impact === "serious" || impact === "critical"))).toEqual([]);

export const takePicture = async (page: Page, name: string): Promise<void> => {
  if (!takesPictures) return;
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
  if (themes.has(theme)) return;
  // A theme only changes colours.
  const rules = themes.size === 0 ? undefined : ["color-contrast"];
  const violations = await axeViolations(page, rules);
  examined.set(key, themes.add(theme));
  expectNoneSerious(violations);
};
