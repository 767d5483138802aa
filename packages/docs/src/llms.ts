import type { Page, PageGroup } from "./page.js";

/** The index that language models read, as https://llmstxt.org describes it. */
export const llmsIndex = (summary: string, groups: readonly PageGroup[]): string =>
  [
    `# Curtail\n\n> ${summary}\n`,
    ...groups.map(
      ({ title, pages }) => `## ${title}\n\n${pages.map((page) => `- [${page.title}](${page.address})`).join("\n")}\n`,
    ),
  ].join("\n");

/** Every page as it was written. */
export const llmsFull = (pages: readonly Page[]): string =>
  pages.map(({ address, markdown }) => `<!-- ${address} -->\n\n${markdown.trim()}\n`).join("\n");
