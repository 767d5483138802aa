import { relativeTo } from "./links.js";
import type { Page, PageGroup } from "./page.js";

/** Addresses of what every page loads. */
export interface Assets {
  readonly style: string;
  readonly script: string;
  readonly theme: string;
  readonly icon: string;
  readonly search: string;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const SITE = "Curtail documentation";
const titleOf = ({ title }: Page): string => (title === SITE ? SITE : `${title} · ${SITE}`);

type At = (address: string) => string;

/**
 * A page as a document: navigation, text, outline. It works without scripts, except for the search.
 *
 * @param at how the page refers to an address of the site
 */
export const frame = (
  page: Page,
  groups: readonly PageGroup[],
  assets: Assets,
  at: At = (address) => relativeTo(page.address, address),
): string => {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(titleOf(page))}</title>
<link rel="icon" href="${at(assets.icon)}" type="image/svg+xml">
<link rel="stylesheet" href="${at(assets.style)}">
<script src="${at(assets.theme)}"></script>
<script type="module" src="${at(assets.script)}"></script>
</head>
<body data-root="${at("index.html").replace(/index\.html$/, "")}" data-search="${at(assets.search)}">
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="${at("index.html")}"><img src="${at(assets.icon)}" alt="" width="26" height="26">Curtail <span>documentation</span></a>
<button type="button" class="search-button" id="search-button" hidden aria-haspopup="dialog">Search <kbd>Ctrl K</kbd></button>
<label class="theme" hidden>Colours <select id="theme"><option value="auto">auto</option><option>light</option><option>dark</option></select></label>
</header>
<div class="frame">
<details class="menu" id="menu"><summary>Contents</summary></details>
<nav class="side" id="side" aria-label="Contents">
${groups.map((group) => sideGroup(group, page, at)).join("\n")}
</nav>
<main id="content" tabindex="-1">
<article>
${page.html}</article>
${neighbours(page, groups, at)}
</main>
${outline(page)}
</div>
</body>
</html>
`;
};

const sideGroup = ({ title, pages, isFolded }: PageGroup, current: Page, at: At): string => {
  const list = `<ul>${pages.map((page) => sideLink(page, current, at)).join("")}</ul>`;
  if (!isFolded) return `<section><h2>${escaped(title)}</h2>${list}</section>`;
  const open = pages.some(({ address }) => address === current.address) ? " open" : "";
  return `<details${open}><summary>${escaped(title)}</summary>${list}</details>`;
};

const sideLink = (page: Page, current: Page, at: At): string => {
  const here = page.address === current.address ? ' aria-current="page"' : "";
  return `<li><a href="${at(page.address)}"${here}>${escaped(page.label)}</a></li>`;
};

const neighbours = (page: Page, groups: readonly PageGroup[], at: At): string => {
  const order = groups.flatMap(({ pages }) => pages);
  const index = order.findIndex(({ address }) => address === page.address);
  if (index === -1) return "";
  const link = (rel: string, word: string, other: Page | undefined): string =>
    other === undefined
      ? "<span></span>"
      : `<a rel="${rel}" href="${at(other.address)}"><span>${word}</span> ${escaped(other.label)}</a>`;
  return `<nav class="neighbours" aria-label="Pages before and after">${link("prev", "Previous", order[index - 1])}${link("next", "Next", order[index + 1])}</nav>`;
};

const outline = ({ sections }: Page): string => {
  const shown = sections.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return "";
  const items = shown.map(({ level, id, text }) => `<li class="l${level}"><a href="#${id}">${escaped(text)}</a></li>`);
  return `<nav class="outline" aria-labelledby="outline-title"><h2 id="outline-title">On this page</h2><ul>${items.join("")}</ul></nav>`;
};
