import { posix } from "node:path";

/** Where a link of a page leads. */
export type Target =
  | { readonly kind: "elsewhere"; readonly address: string }
  | { readonly kind: "page"; readonly file: string; readonly anchor: string }
  | { readonly kind: "file"; readonly path: string };

/** `from` is the file of the page, relative to the root of the repository, and so are the results. */
export const targetOf = (from: string, link: string): Target => {
  if (/^[a-z]+:/.test(link) || link.startsWith("/")) return { kind: "elsewhere", address: link };
  const [path = "", anchor = ""] = link.split("#", 2);
  const file = path === "" ? from : posix.join(posix.dirname(from), decodeURIComponent(path));
  if (file.endsWith(".md")) return { kind: "page", file, anchor };
  if (file === "docs/decisions" || file === "docs/decisions/")
    return { kind: "page", file: `${file}/README.md`, anchor };
  return { kind: "file", path: file };
};

/** Files that the site has in addition to pages; null for those that it does not have. */
export const siteFileOf = (path: string): string | null => {
  const document = /^packages\/contract\/([\w.-]+\.openapi\.json)$/.exec(path)?.[1];
  if (document !== undefined) return `api/${document}`;
  if (path.startsWith("examples/") && !path.endsWith("/")) return path;
  if (path === "LICENSE") return path;
  return path.startsWith("docs/images/") ? path.slice("docs/".length) : null;
};

/** The page of `docs/decisions/README.md` is decisions/index.html, that of `packages/measure/README.md` packages/measure.html. */
export const addressOf = (file: string): string =>
  file
    .toLowerCase()
    .replace(/^docs\//, "")
    .replace(/^(packages\/[\w-]+)\/readme\.md$/, "$1.md")
    .replace(/readme\.md$/, "index.md")
    .replace(/\.md$/, ".html");

/** A relative address, so that the site can be served below any path. */
export const relativeTo = (fromAddress: string, toAddress: string): string =>
  posix.relative(posix.dirname(fromAddress), toAddress) || posix.basename(toAddress);
