import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { axeViolations } from "./axe.js";
import { expectNoneSerious, takePicture } from "./looks.js";
import type { Visit } from "./visit.js";

/** Buttons that open a dialog: of a form, or one that asks for confirmation. */
const OPENERS = 'main [aria-haspopup="dialog"]:enabled';
const DIALOG = '[role="dialog"], [role="alertdialog"]';

/**
 * Opens each dialog of each page, one of those with the same label, and expects it to fit its window, to have no serious
 * finding of axe, and to close by Escape.
 *
 * @returns The labels of the buttons that opened one.
 */
export const expectSoundDialogs = async (visited: Visit, addresses: readonly string[]): Promise<readonly string[]> => {
  const opened = new Set<string>();
  for (const address of addresses) {
    await visited.page.goto(address);
    await visited.page.locator("h1").first().waitFor();
    await expect.poll(() => visited.page.getByText("Loading…").count()).toBe(0);
    for (const opener of await visited.page.locator(OPENERS).all()) {
      const label = (await opener.getAttribute("aria-label")) ?? (await opener.textContent()) ?? "";
      if (opened.has(label) || !(await opener.isVisible())) continue;
      opened.add(label);
      await expectSoundDialog(visited.page, opener, label);
    }
  }
  expect(visited.faults).toEqual([]);
  return [...opened].toSorted((a, b) => a.localeCompare(b));
};

const expectSoundDialog = async (page: Page, opener: Locator, label: string): Promise<void> => {
  await opener.click();
  const dialog = page.locator(DIALOG);
  await dialog.waitFor();
  await takePicture(page, `dialog-${label.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`);
  await expectInsideWindow(page, dialog, label);
  expectNoneSerious(await axeViolations(page, undefined, DIALOG));
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  // Its entry in the history is taken back after that; a page that is opened meanwhile would be left by it.
  await expect.poll(() => page.evaluate<number>("history.state?.open?.length ?? 0")).toBe(0);
};

/** Nothing of a dialog is outside the window. */
export const expectInsideWindow = async (page: Page, dialog: Locator, label: string): Promise<void> => {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const box = await dialog.boundingBox();
  expect(box?.x, label).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0), label).toBeLessThanOrEqual(width);
  expect((box?.y ?? 0) + (box?.height ?? 0), label).toBeLessThanOrEqual(height);
};
