// The licences that go with other people's packages, wherever these are bundled into a file.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Folder of the package that a module belongs to; undefined for a module of ours. */
const packageOf = (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0];

const nameOf = (person) => person?.name ?? person ?? "";

const licenceOf = (folder) => {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const terms = file === undefined ? nameOf(author) : readFileSync(join(folder, file), "utf8").trim();
  return `${name} ${version} (${license})\n\n${terms}\n`;
};

/** The licences of the packages that the modules of a bundle come from, by name. */
export const licencesOf = (moduleIds) =>
  [...new Set(moduleIds.map(packageOf))]
    .filter((folder) => folder !== undefined)
    .map(licenceOf)
    .sort()
    .join(`\n${"-".repeat(80)}\n\n`);
