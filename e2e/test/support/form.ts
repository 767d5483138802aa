import type { Locator } from "playwright-core";
import { expect } from "vitest";

/** Waits until a field shows the words, linked to it for screen readers. */
export const expectFault = async (within: Locator, label: string, words: string): Promise<void> => {
  const field = within.getByLabel(label, { exact: true });
  await expect.poll(() => field.getAttribute("aria-invalid"), { message: label }).toBe("true");
  const described = await field.getAttribute("aria-describedby");
  expect(await within.locator(`[id="${described}"]`).textContent()).toBe(words);
};

/** The first faulty field has the focus, and nothing about it appears in a corner of the page. */
export const expectFocus = async (within: Locator, label: string): Promise<void> => {
  const field = within.getByLabel(label, { exact: true });
  const id = await field.getAttribute("id");
  await within.locator(`[id="${id}"]:focus`).waitFor();
  expect(await within.page().locator("[data-notices]").getByRole("alert").count()).toBe(0);
};
