import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  DECISIONS,
  markdownFiles,
  pageGroups,
  render,
  root,
  sidebar,
  siteFileOf,
  targetOf,
  unpublished,
} from "../src/index.js";

const listed = sidebar.flatMap(({ files }) => files);
const written = markdownFiles().filter((file) => !unpublished.includes(file));
const published = [...new Set([...listed, ...written])];
const groups = await pageGroups();
const readText = (file: string): string => readFileSync(join(root, file), "utf8");

/** Readers on slow networks wait for them. */
const MOST_IMAGE_BYTES = 200_000;

/** Links of a page, as they stand in its source. */
const linksOf = (file: string): readonly string[] => {
  const links: string[] = [];
  render(readText(file), (link) => {
    links.push(link);
    return link;
  });
  return links;
};

const anchorsOf = (file: string): readonly string[] =>
  render(readText(file), (link) => link).sections.map(({ id }) => id);

/** Null if the link leads somewhere. */
const faultOf = (file: string, link: string): string | null => {
  const target = targetOf(file, link);
  if (target.kind === "elsewhere") return null;
  if (target.kind === "page") {
    if (!published.includes(target.file)) return `${file}: ${link} is not a page of the site`;
    return target.anchor === "" || anchorsOf(target.file).includes(target.anchor)
      ? null
      : `${file}: ${link} names a section that is not there`;
  }
  const isFile = existsSync(join(root, target.path)) && statSync(join(root, target.path)).isFile();
  if (!isFile) return `${file}: ${link} does not exist`;
  // The README is read in the repository only.
  return file === "README.md" || siteFileOf(target.path) !== null ? null : `${file}: ${link} is not on the site`;
};

test("every link between pages leads to a page and a section that exist", () => {
  expect(published.flatMap((file) => linksOf(file).flatMap((link) => faultOf(file, link) ?? []))).toEqual([]);
});

test.for(["README.md", "CHANGELOG.md"])("links of %s to sections of the documentation hold, too", (file) => {
  const toPages = linksOf(file).filter((link) => targetOf(file, link).kind === "page");
  expect(toPages.flatMap((link) => faultOf(file, link) ?? [])).toEqual([]);
  expect(toPages.length).toBeGreaterThan(5);
});

test("the check finds a missing page, a missing section and a file that the site does not have", () => {
  expect(faultOf("docs/admin.md", "nothing.md")).toContain("is not a page of the site");
  expect(faultOf("docs/admin.md", "handover.md")).toContain("is not a page of the site");
  expect(faultOf("docs/admin.md", "glossary.md#nothing")).toContain("names a section that is not there");
  expect(faultOf("docs/admin.md", "../package.json")).toContain("is not on the site");
});

test("every page in docs/ is in the sidebar: packages/docs/src/sidebar.ts", () => {
  const missing = written.filter((file) => !file.startsWith(`${DECISIONS}/`) && !listed.includes(file));
  expect(missing).toEqual([]);
  expect(listed.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});

test("every page has a title of its own and an address of its own", () => {
  const pages = groups.flatMap((group) => group.pages);
  expect(pages.filter(({ title }) => title === "")).toEqual([]);
  expect(new Set(pages.map(({ address }) => address)).size).toBe(pages.length);
  for (const { pages: ofGroup } of groups) expect(new Set(ofGroup.map(({ title }) => title)).size).toBe(ofGroup.length);
});

test("every image is shown by a page, and no larger than readers wait for", () => {
  const shown = [...published, "README.md"].map(readText).join("\n");
  for (const name of readdirSync(join(root, "docs/images"))) {
    expect(shown, `no page shows ${name}`).toContain(`images/${name}`);
    expect(statSync(join(root, "docs/images", name)).size, name).toBeLessThan(MOST_IMAGE_BYTES);
  }
});
