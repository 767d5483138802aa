// `npm run release -- 0.1.1`: sets the version of every package, dates the changelog, writes the bill of materials, commits, tags
// and prints the notes.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { changelogFaults, isNewer } from "./changelog.mjs";
import { licenceFaults } from "./licences.mjs";
import { SBOM, sbomOf } from "./sbom.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const DEPENDENCIES = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
const UNRELEASED = /^## Unreleased\n(?<notes>[^]*?)(?=^## |$(?![^]))/m;

const refuse = (message) => {
  process.stderr.write(`release: ${message}\n`);
  process.exit(1);
};

const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const read = (name) => readFileSync(join(root, name), "utf8");
const write = (name, text) => writeFileSync(join(root, name), text);
const writeJson = (name, value) => write(name, `${JSON.stringify(value, null, 2)}\n`);

/** A package with the version, which it also requires of the workspace's other packages. */
const released = (manifest, version, names) => {
  const updated = { ...manifest, version };
  for (const field of DEPENDENCIES.filter((each) => each in manifest))
    updated[field] = Object.fromEntries(
      Object.entries(manifest[field]).map(([name, range]) => [name, names.has(name) ? version : range]),
    );
  return updated;
};

const setVersion = (lock, folders, version) => {
  const names = new Set(folders.map((folder) => lock.packages[folder].name));
  for (const folder of folders) {
    const manifest = join(folder, "package.json");
    writeJson(manifest, released(JSON.parse(read(manifest)), version, names));
    lock.packages[folder] = released(lock.packages[folder], version, names);
  }
  writeJson("package-lock.json", lock);
};

const [version = ""] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) refuse("name a version such as 0.1.1: npm run release -- 0.1.1");
if (git("status", "--porcelain") !== "") refuse("the tree has changes; commit or remove them first");

const lock = JSON.parse(read("package-lock.json"));
const folders = Object.keys(lock.packages).filter((path) => path !== "" && !path.includes("node_modules/"));
const current = lock.packages["packages/server"].version;
if (!isNewer(version, current)) refuse(`${version} is not newer than ${current}`);
const tag = `v${version}`;
if (git("tag", "--list", tag) !== "") refuse(`the tag ${tag} exists`);
const changelog = read("CHANGELOG.md");
const notes = UNRELEASED.exec(changelog)?.groups.notes.trim() ?? "";
if (notes === "") refuse("CHANGELOG.md has nothing under Unreleased");
const faults = changelogFaults(changelog);
if (faults.length > 0) refuse(`correct CHANGELOG.md first:\n${faults.join("\n")}`);

const unaccepted = licenceFaults(lock);
if (unaccepted.length > 0) refuse(`settle these licences first (scripts/licences.mjs):\n${unaccepted.join("\n")}`);

setVersion(lock, folders, version);
write(SBOM, sbomOf(lock));
git("add", SBOM);
const day = new Date().toISOString().slice(0, 10);
write("CHANGELOG.md", changelog.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} (${day})`));
git("commit", "--quiet", "--all", "--message", `release: set the version to ${version}`);
git("tag", "--annotate", "--cleanup=whitespace", "--message", `${tag}\n\n${notes}`, tag);
process.stdout.write(`${notes}\n`);
process.stderr.write(`release: tagged ${tag}; publish it with git push --follow-tags\n`);
