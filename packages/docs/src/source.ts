import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { addressOf, relativeTo, siteFileOf, targetOf } from "./links.js";
import { render } from "./markdown.js";
import type { OpenApi } from "./openapi.js";
import type { Page, PageGroup } from "./page.js";
import { type ReferenceDocument, referencePages } from "./reference.js";
import { sdkModel } from "./sdk-cache.js";
import { sdkReference } from "./sdk-reference.js";
import { DECISIONS, sidebar } from "./sidebar.js";

/** The folder of the repository. */
export const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Every Markdown file below `docs/`. */
export const markdownFiles = (): readonly string[] =>
  readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`)
    .toSorted();

/** Everything that the site shows, in the order of its sidebar. */
export const pageGroups = async (): Promise<readonly PageGroup[]> => {
  const decisions = markdownFiles().filter((name) => name.startsWith(`${DECISIONS}/`) && !name.endsWith("README.md"));
  return [
    ...sidebar.map(({ title, files }) => ({ title, pages: files.map(written), isFolded: false })),
    ...sdkReference(await sdkModel(root)).map(generated),
    ...references().map((each) => generated({ title: each.title, pages: referencePages(each) })),
    { title: "Decisions", pages: [`${DECISIONS}/README.md`, ...decisions].map(written), isFolded: true },
  ];
};

const written = (file: string): Page => {
  const markdown = readFileSync(join(root, file), "utf8");
  const rendered = render(markdown, (link) => rewritten(file, link));
  // Decisions are numbered, and their titles may hold colons.
  const label = file.startsWith(DECISIONS) ? rendered.title : (rendered.title.split(":")[0] ?? "");
  return { address: addressOf(file), markdown, label, ...rendered };
};

/** Links between files become links between pages. */
const rewritten = (file: string, link: string): string => {
  const target = targetOf(file, link);
  const from = addressOf(file);
  if (target.kind === "elsewhere") return target.address;
  if (target.kind === "file") return relativeTo(from, siteFileOf(target.path) ?? target.path);
  const to = addressOf(target.file);
  const anchor = target.anchor === "" ? "" : `#${target.anchor}`;
  return to === from && anchor !== "" ? anchor : relativeTo(from, to) + anchor;
};

interface GeneratedGroup {
  readonly title: string;
  readonly pages: ReadonlyArray<Pick<Page, "address" | "markdown">>;
}

const generated = ({ title, pages }: GeneratedGroup): PageGroup => ({
  title,
  isFolded: true,
  pages: pages.map(({ address, markdown }) => {
    const rendered = render(markdown, (link) => link);
    const label = address.endsWith("/index.html") ? "Overview" : rendered.title;
    return { address, markdown, label, ...rendered };
  }),
});

const openApi = (file: string): OpenApi => JSON.parse(readFileSync(join(root, "packages/contract", file), "utf8"));

const references = (): readonly ReferenceDocument[] => [
  reference("participant", "API of participants", "2022-04-15.openapi.json", "/2022-04-15/docs"),
  {
    ...reference("sandbox", "API of the sandbox", "2022-04-15-sandbox.openapi.json", "/2022-04-15/docs"),
    tags: ["Scenarios"],
  },
  reference("operator", "API of operators", "operator-v1.openapi.json", "/operator/v1/docs"),
  reference("console", "API of the dashboard", "console-v1.openapi.json", "/console/v1/docs"),
  reference("sessions", "API of sessions", "auth.openapi.json", "/auth/docs"),
];

const reference = (name: string, title: string, file: string, viewer: string): ReferenceDocument => ({
  address: `api/${name}`,
  title,
  document: openApi(file),
  file,
  viewer,
});
