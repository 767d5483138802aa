import { readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const packages = new URL("../", import.meta.url);

/** The command with all modules of its own in a few files, made by `npm run build`. */
export const bundle = fileURLToPath(new URL("dist/bundle/app/curtail.js", import.meta.url));

/** The service, which the bundle runs with compiled code (kept-script.mjs). */
export const service = fileURLToPath(new URL("dist/bundle/app/serve.cjs", import.meta.url));

const changedAtMs = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether no package was compiled after the bundle was made. */
export const isCurrent = () => {
  const madeAtMs = changedAtMs(bundle);
  return readdirSync(packages).every((name) => changedAtMs(new URL(`${name}/dist/.tsbuildinfo`, packages)) <= madeAtMs);
};
