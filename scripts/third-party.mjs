// The licences that go with other people's packages, wherever these are bundled into a file.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { standardTerms } from "./licence-texts.mjs";
import { readLockfile, shippedFrom } from "./shipped-packages.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Beside what is built: the packages of others that are in it. */
export const THIRD_PARTIES = ".third-parties.json";

/** Folder of the package that a module belongs to; undefined for a module of ours. */
const packageOf = (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0];

const nameOf = (person) => person?.name ?? person ?? "";

/** Also notices, which the Apache License asks to be passed on. */
const TERMS = /^(?:licen[cs]e|copying|notice)|\.license\.txt$/i;

const termsIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && TERMS.test(entry.name) && !/\.(?:[cm]?js|ts|json)$/.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8").trim());

/** What a package says of itself. */
export const thirdPartyIn = (folder) => {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { name, version, license, author: nameOf(author), terms: termsIn(folder) };
};

/** Published as one file with what it needs, which a bundle cannot tell. */
const WHOLE = "maplibre-gl";

const withinWhole = () => {
  const shipped = shippedFrom(readLockfile(), [`node_modules/${WHOLE}`]);
  return [...shipped.keys()].map((path) => join(root, path)).filter((folder) => existsSync(folder));
};

/** The packages that the modules of a bundle come from. */
export const thirdPartiesOf = (moduleIds) => {
  const folders = new Set(moduleIds.map(packageOf).filter((folder) => folder !== undefined));
  const isWithin = [...folders].some((folder) => folder.endsWith(`/${WHOLE}`));
  return [...new Set([...folders, ...(isWithin ? withinWhole() : [])])].map(thirdPartyIn);
};

const LINE = `\n${"-".repeat(80)}\n\n`;

const licenceText = (of) => {
  const terms = of.terms.length === 0 ? standardTerms(of) : of.terms.join("\n\n");
  return `${of.name} ${of.version} (${of.license})\n\n${terms}\n`;
};

/** The licences of packages, by name; each once. */
export const licencesOf = (packages) => {
  const texts = packages.map(licenceText).sort();
  return texts.filter((text, index) => text !== texts[index - 1]).join(LINE);
};
