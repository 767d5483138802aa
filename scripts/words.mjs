// Brings the catalogues in line with what the code says: each text in the part of its readers, in the order of the alphabet; what is said no
// more goes. Ends with the number of texts that each language lacks; `-- --missing es` prints those of one, as JSON to be filled in, and
// `-- --add es FILE` adds a file of that form.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { saidTexts } from "./said-texts.mjs";

const PARTS = ["shared", "operators", "participants", "refusals", "messages"];
const TRANSLATED = ["es", "de", "fr"];

/** Pages of both sides load `shared`, and `refusals` only when one is shown; the service reads all parts. */
const partOf = (parts) => {
  const pages = new Set([...parts].filter((part) => part !== "messages"));
  if (pages.size > 1) return "shared";
  return [...pages][0] ?? "messages";
};

const partsByKey = () => {
  const parts = new Map();
  for (const { key, part } of saidTexts()) parts.set(key, (parts.get(key) ?? new Set()).add(part));
  return new Map([...parts].map(([key, readers]) => [key, partOf(readers)]));
};

const fileOf = (language, part) =>
  fileURLToPath(new URL(`../packages/words/catalogues/${language}/${part}.json`, import.meta.url));

const known = (language) =>
  Object.assign({}, ...PARTS.map((part) => JSON.parse(readFileSync(fileOf(language, part), "utf8"))));

const write = (language, said, texts) => {
  for (const part of PARTS) {
    const keys = [...said.keys()]
      .filter((key) => said.get(key) === part && texts[key] !== undefined)
      .toSorted((a, b) => (a < b ? -1 : 1));
    const json = JSON.stringify(Object.fromEntries(keys.map((key) => [key, texts[key]])), null, 2);
    writeFileSync(fileOf(language, part), `${json}\n`);
  }
};

const [mode, of, added] = process.argv.slice(2);
if (![undefined, "--missing", "--add"].includes(mode) || (mode !== undefined && !TRANSLATED.includes(of)))
  throw new Error("usage: npm run words [-- --missing es | -- --add es FILE]");
const said = partsByKey();
for (const language of TRANSLATED) {
  const texts = known(language);
  if (mode === "--add" && of === language)
    for (const [key, text] of Object.entries(JSON.parse(readFileSync(added, "utf8"))))
      if (text !== "") texts[key] = text;
  write(language, said, texts);
  const missing = [...said].filter(([key]) => texts[key] === undefined);
  if (mode === "--missing" && of === language)
    process.stdout.write(`${JSON.stringify(Object.fromEntries(missing.map(([key]) => [key, ""])), null, 1)}\n`);
  else process.stderr.write(`${language}: ${said.size - missing.length} of ${said.size} texts\n`);
}
