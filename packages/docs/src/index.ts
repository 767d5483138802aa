export { type CodeBlock, codeBlocks } from "./code-blocks.js";
export { siteFileOf, targetOf } from "./links.js";
export { render } from "./markdown.js";
export type { SearchEntry } from "./search.js";
export { DECISIONS, sidebar, unpublished } from "./sidebar.js";
export { markdownFiles, pageGroups, root } from "./source.js";
export { type SiteOptions, writeSite } from "./write-site.js";
