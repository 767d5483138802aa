import { render } from "./markdown.js";
import type { Page } from "./page.js";

const TEXT = `# Page not found

The documentation has no page at this address.

- [Start page](/docs/index.html): all guides and references
- Search: the button at the top of the page, or Ctrl-K
`;

/** What the service answers for a page that does not exist; it is in no list. */
export const missingPage = (): Page => {
  const rendered = render(TEXT, (link) => link);
  return { address: "404.html", label: rendered.title, markdown: TEXT, ...rendered };
};
