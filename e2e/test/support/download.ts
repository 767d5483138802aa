import type { Locator } from "playwright-core";

/** Name and bytes of the file behind a link; a character is a byte. */
export const downloaded = async (link: Locator): Promise<{ name: string; text: string }> => {
  const download = link.page().waitForEvent("download");
  await link.click();
  const parts = (await (await (await download).createReadStream()).toArray()) as Buffer[];
  return { name: (await download).suggestedFilename(), text: Buffer.concat(parts).toString("latin1") };
};
