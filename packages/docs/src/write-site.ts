import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { type Assets, frame } from "./frame.js";
import { llmsFull, llmsIndex } from "./llms.js";
import { missingPage } from "./missing-page.js";
import { searchEntries } from "./search.js";
import { pageGroups, root } from "./source.js";
import { tokensOf } from "./tokens.js";

export interface SiteOptions {
  /** Folder to write to; emptied first. */
  readonly folder: string;
  /** The browser's script as one file, and the part of it that is loaded with the first search. */
  readonly scripts: readonly { readonly fileName: string; readonly code: string; readonly isEntry: boolean }[];
}

const SUMMARY =
  "Curtail is a self-hosted demand-response service: it dispatches sites, receives their meter readings and measures what they deliver.";

/** Where the service serves the site. */
const SERVED_BELOW = "/docs";

const contract = join(root, "packages/contract");
const web = join(root, "packages/web");

/** Writes every page, and compressed copies of what is worth compressing. */
export const writeSite = async ({ folder, scripts }: SiteOptions): Promise<void> => {
  const groups = await pageGroups();
  rmSync(folder, { recursive: true, force: true });
  const write = (name: string, content: string): void => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 6 }));
  };
  const pages = groups.flatMap((group) => group.pages);
  const search = named("search", "json", JSON.stringify(searchEntries(groups)));
  const style = named(
    "site",
    "css",
    `${tokensOf(read(web, "src/styles.css"))}\n${read(root, "packages/docs/src/assets/site.css")}`,
  );
  const theme = named("theme", "js", read(web, "public/theme.js"));
  const icon = named("icon", "svg", read(web, "public/icon.svg"));
  for (const { name, content } of [search, style, theme, icon]) write(name, content);
  for (const { fileName, code } of scripts) write(fileName, code);
  const assets: Assets = {
    search: search.name,
    style: style.name,
    theme: theme.name,
    icon: icon.name,
    script: scripts.find(({ isEntry }) => isEntry)?.fileName ?? "",
  };
  for (const page of pages) write(page.address, frame(page, groups, assets));
  // Sent for addresses of any depth, so its links cannot be relative.
  write(
    "404.html",
    frame(missingPage(), groups, assets, (address) => `${SERVED_BELOW}/${address}`),
  );
  write("llms.txt", llmsIndex(SUMMARY, groups, SERVED_BELOW));
  write("llms-full.txt", llmsFull(pages.filter(({ address }) => !address.startsWith("decisions/"))));
  for (const file of ["2022-04-15", "2022-04-15-sandbox", "operator-v1", "console-v1", "auth"])
    write(`api/${file}.openapi.json`, read(contract, `${file}.openapi.json`));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  cpSync(join(root, "docs/images"), join(folder, "images"), { recursive: true });
  cpSync(join(root, "examples"), join(folder, "examples"), { recursive: true });
};

const read = (folder: string, name: string): string => readFileSync(join(folder, name), "utf8");

/** Named by its content, so that browsers may keep it forever. */
const named = (name: string, extension: string, content: string) => {
  const hash = createHash("sha256").update(content).digest("base64url").slice(0, 8);
  return { name: `assets/${name}-${hash}.${extension}`, content };
};
