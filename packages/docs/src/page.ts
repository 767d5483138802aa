import type { Rendered } from "./markdown.js";

/** A page of the site. */
export interface Page extends Rendered {
  /** Below the folder of the site: `decisions/index.html`. */
  readonly address: string;
  /** Its title in lists: the part before a colon. */
  readonly label: string;
  readonly markdown: string;
}

/** Pages under one title in the sidebar. */
export interface PageGroup {
  readonly title: string;
  readonly pages: readonly Page[];
  /** Closed unless one of its pages is open. */
  readonly isFolded: boolean;
}
