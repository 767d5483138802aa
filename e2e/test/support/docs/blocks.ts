import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CodeBlock, codeBlocks, root, sidebar } from "@curtail/docs";

/** The packages run what their READMEs show in tests of their own; what developers type is not for a running service. */
const isForReaders = (file: string): boolean => /^(docs|examples)\//.test(file);
/** Paths of the pages whose code is run. */
export const pages = ["README.md", ...sidebar.flatMap(({ files }) => files).filter(isForReaders)];
export const blocksOf = (page: string): readonly CodeBlock[] =>
  codeBlocks(page, readFileSync(join(root, page), "utf8"));
/** All blocks of all pages. */
export const all = pages.flatMap(blocksOf);
export const where = ({ page, line }: CodeBlock): string => `${page}:${line}`;
const isSkipped = ({ notes }: CodeBlock): boolean => notes["skip"] !== undefined;
export const recipeOf = ({ notes }: CodeBlock): string | undefined => notes["recipe"];
/** Blocks of a language that are run as they are. */
export const of = (language: string): readonly CodeBlock[] =>
  all.filter((each) => each.language === language && !isSkipped(each) && recipeOf(each) === undefined);
