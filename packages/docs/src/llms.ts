import type { Page, PageGroup } from "./page.js";

/**
 * The index that language models read, as https://llmstxt.org describes it.
 *
 * @param below where the site is served: the index is also at the root of the host, so links cannot be relative
 */
export const llmsIndex = (summary: string, groups: readonly PageGroup[], below: string): string =>
  [
    `# Curtail\n\n> ${summary}\n`,
    ...groups.map(
      ({ title, pages }) =>
        `## ${title}\n\n${pages.map((page) => `- [${page.title}](${below}/${page.address})`).join("\n")}\n`,
    ),
  ].join("\n");

/** Every page as it was written. */
export const llmsFull = (pages: readonly Page[]): string =>
  pages.map(({ address, markdown }) => `<!-- ${address} -->\n\n${markdown.trim()}\n`).join("\n");
