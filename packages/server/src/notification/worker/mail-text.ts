import { escaped } from "../../platform/escaped-html.js";
/** Content of a mail, rendered as text and as HTML. */
export type Block =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "facts"; readonly rows: ReadonlyArray<readonly [name: string, text: string]> }
  | { readonly kind: "list"; readonly title: string; readonly items: readonly string[] };

export const asText = (blocks: readonly Block[]): string => `${blocks.map(blockAsText).join("\n\n")}\n`;

export const asHtml = (blocks: readonly Block[]): string =>
  `<!doctype html>\n<html lang="en"><body>\n${blocks.map(blockAsHtml).join("\n")}\n</body></html>\n`;

const blockAsText = (block: Block): string => {
  switch (block.kind) {
    case "paragraph":
      return block.text;
    case "facts":
      return block.rows.map(([name, text]) => `${name}: ${text}`).join("\n");
    case "list":
      return [block.title, ...block.items.map((item) => `- ${item}`)].join("\n");
  }
};

const blockAsHtml = (block: Block): string => {
  switch (block.kind) {
    case "paragraph":
      return `<p>${escaped(block.text)}</p>`;
    case "facts":
      return `<p>${block.rows.map(([name, text]) => `<b>${escaped(name)}:</b> ${escaped(text)}`).join("<br>\n")}</p>`;
    case "list":
      return `<p>${escaped(block.title)}</p>\n<ul>\n${block.items.map((item) => `<li>${escaped(item)}</li>`).join("\n")}\n</ul>`;
  }
};
