import { readFileSync } from "node:fs";

const file = new URL("../../../package.json", import.meta.url);

/** Of this package. */
export const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };
