// Writes the licences of all that pages, documentation and downloads contain of others, if that changed. The last step of a
// build: the others say what they contain.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtOnce, root } from "./built-once.mjs";
import { licencesOf, THIRD_PARTIES, thirdPartyIn } from "./third-party.mjs";

const inPackage = (...path) => join(root, "packages", ...path);
const folder = inPackage("cli", "dist", "notices");
/** Served as it is published, to show the reference. */
const viewer = join(root, "node_modules", "swagger-ui-dist");

const lists = [
  inPackage("web", "dist", "site", THIRD_PARTIES),
  inPackage("docs", "dist", "site", THIRD_PARTIES),
  inPackage("cli", "dist", "downloads", THIRD_PARTIES),
];

const HEAD = `Third-party notices

Curtail is under the Apache License 2.0. Its pages, its documentation and the files that it hands out (command line, agent,
libraries) contain the packages below, by their authors, under these terms.

${"=".repeat(80)}

`;

const sources = [
  ...lists,
  join(viewer, "package.json"),
  ...["build-notices", "licence-texts", "third-party"].map((name) => join(root, "scripts", `${name}.mjs`)),
];

await builtOnce(folder, sources, () => {
  const bundled = lists.flatMap((file) => JSON.parse(readFileSync(file, "utf8")));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "third-party-notices.txt"), HEAD + licencesOf([...bundled, thirdPartyIn(viewer)]));
});
