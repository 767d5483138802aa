// The form of CHANGELOG.md, which `npm run release` and a test hold: one line an item, by part, and first what an
// operator must do before an upgrade.

/** In the order of their items: from what a user sees to what keeps it running. */
export const PARTS = [
  "dispatches",
  "notices",
  "openadr 2.0",
  "openadr 3.1",
  "measurement",
  "statements",
  "telemetry",
  "meter data",
  "sandbox",
  "pages",
  "api",
  "cli",
  "client",
  "spool",
  "node-red",
  "agent",
  "backup",
  "server",
  "docs",
  "development",
];
/** Two lines of a terminal. Addresses of links do not count. */
const MAX_CHARACTERS = 220;
const RELEASE = /^## (?:Unreleased|(?<version>\d+\.\d+\.\d+) \((?<day>\d{4}-\d{2}-\d{2})\))$/;
const STEP = /^(?<number>\d+)\. (?<text>(?<part>[a-z0-9. -]+): (?<sentence>.+))$/;
const ITEM = /^- (?<text>(?<part>[a-z0-9. -]+): (?:\*\*(?<mark>[a-z]+):\*\* )?(?<sentence>.+))$/;
const SECTIONS = { "### Before you upgrade": STEP, "### Changes": ITEM };

const visible = (text) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
const isDay = (day) => !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);

const faultsOfText = ({ part, text, sentence }) => [
  ...(PARTS.includes(part) ? [] : [`begin with a part: ${PARTS.join(", ")}`]),
  ...(visible(text).length > MAX_CHARACTERS ? [`shorten it to ${MAX_CHARACTERS} characters, or make two items`] : []),
  ...(/^[a-z]/.test(sentence) || !sentence.endsWith(".") ? ["write whole sentences"] : []),
];

const faultsOfStep = ({ number, sentence }, before) => [
  ...(Number(number) === before.length + 1 ? [] : [`number it ${before.length + 1}`]),
  ...(/^\*\*[A-Z].*?\.\*\* [A-Z`]/.test(sentence) ? [] : ["begin with what to do, in bold: **Set `X`.** Why."]),
];

const faultsOfItem = ({ part, mark = "fixed" }, before) => [
  ...(before.length > 0 && PARTS.indexOf(before.at(-1).part) > PARTS.indexOf(part)
    ? [`move it to the other items of ${part}`]
    : []),
  ...(mark === "fixed" ? [] : [`move it to "Before you upgrade", with what to do: **${mark}:**`]),
];

const faultsOfLine = (line, section, before) => {
  const found = SECTIONS[section].exec(line)?.groups;
  if (found === undefined) return ["write an item as one line: - part: Sentence."];
  const own = section === "### Changes" ? faultsOfItem(found, before) : faultsOfStep(found, before);
  before.push(found);
  return [...faultsOfText(found), ...own];
};

const faultsOfRelease = (lines) => {
  const sections = lines.filter((line) => line.startsWith("### "));
  const wanted = Object.keys(SECTIONS).filter((section) => sections.includes(section));
  if (sections.join() !== wanted.join()) return [`${lines[0]}: ${wanted.join(", ")} are its sections, in this order`];
  let section = "### Changes";
  let before = [];
  return lines.slice(1).flatMap((line) => {
    if (line in SECTIONS) [section, before] = [line, []];
    return line in SECTIONS || line === ""
      ? []
      : faultsOfLine(line, section, before).map((fault) => `${line.slice(0, 60)}: ${fault}`);
  });
};

/** Whether the first of two versions is the later one. */
export const isNewer = (version, current) => {
  const [next, last] = [version, current].map((each) => each.split(".").map(Number));
  const first = next.findIndex((part, index) => part !== last[index]);
  return first !== -1 && next[first] > last[first];
};

const faultsOfHeads = (heads) =>
  heads.flatMap((head, index) => {
    const found = RELEASE.exec(head)?.groups;
    if (found === undefined) return [`${head}: write ## Unreleased or ## 0.1.0 (2026-11-22)`];
    const { version, day } = found;
    if ((version === undefined) !== (index === 0)) return [`${head}: begin with ## Unreleased, then name versions`];
    if (version === undefined) return [];
    const later = RELEASE.exec(heads[index - 1])?.groups ?? {};
    return [
      ...(isDay(day) ? [] : [`${head}: ${day} is no date`]),
      ...(later.version !== undefined && !(isNewer(later.version, version) && later.day >= day)
        ? [`${head}: put the newest version first`]
        : []),
    ];
  });

/** Faults of a changelog, one line each. */
export const changelogFaults = (text) => {
  const releases = text.split(/^(?=## )/m).slice(1);
  const lines = releases.map((release) => release.trimEnd().split("\n"));
  const items = lines.flat().filter((line) => line.startsWith("- "));
  return [
    ...faultsOfHeads(lines.map(([head]) => head)),
    ...lines.flatMap(faultsOfRelease),
    ...items.filter((item, index) => items.indexOf(item) !== index).map((item) => `${item}: remove the second one`),
  ];
};
