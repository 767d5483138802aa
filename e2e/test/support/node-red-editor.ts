import type { Page } from "playwright-core";

/** Opens the editor; adds what goes wrong in it to `faults`. */
export const openEditor = async (page: Page, url: string, faults: string[]): Promise<void> => {
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("console", (said) => {
    if (said.type() === "error") faults.push(said.text());
  });
  await page.goto(url);
  await page.getByText("common", { exact: true }).waitFor();
};

/** The nodes of a category of the palette. */
export const paletteOf = async (page: Page, category: string): Promise<readonly string[]> =>
  page.locator(`#red-ui-palette-container-${category} .red-ui-palette-label`).allTextContents();

/** Opens the form of a node by a double click, looks at it, and cancels it. */
export const inForm = async (page: Page, node: string, look: () => Promise<void>): Promise<void> => {
  await page.locator(`[id="${node}"] rect.red-ui-flow-node`).dblclick();
  await page.locator("#node-input-name").waitFor();
  await look();
  await page.locator("#node-dialog-cancel").click();
  await page.locator("#node-input-name").waitFor({ state: "detached" });
};

/** A field of a form, in the page. */
interface Named {
  readonly labels: ReadonlyArray<{ readonly textContent: string }> | null;
  readonly ariaLabel: string | null;
}

/** What names each field that the form on top shows; empty for a field without a name. */
export const fieldNames = (page: Page): Promise<readonly string[]> =>
  page
    .locator(".red-ui-tray")
    .last()
    .locator("[id^=node-input-], [id^=node-config-input-]")
    .and(page.locator("input, select"))
    .filter({ visible: true })
    .evaluateAll((fields) =>
      fields.map((field) => {
        const { labels, ariaLabel } = field as unknown as Named;
        return (ariaLabel ?? labels?.[0]?.textContent ?? "").trim();
      }),
    );
