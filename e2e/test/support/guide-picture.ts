import { fileURLToPath } from "node:url";
import type { Locator } from "playwright-core";

const images = fileURLToPath(new URL("../../../docs/images/", import.meta.url));

/** With `GUIDE_PICTURES=1`, takes the picture of a guide of what the page shows now. */
export const guidePicture = async (part: Locator, name: string): Promise<void> => {
  if (process.env["GUIDE_PICTURES"] === "1") await part.screenshot({ path: `${images}${name}.png` });
};
