import GithubSlugger from "github-slugger";
import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import http from "highlight.js/lib/languages/http";
import ini from "highlight.js/lib/languages/ini";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import yaml from "highlight.js/lib/languages/yaml";
import NewMarkdownIt, { type MarkdownIt, type Token } from "markdown-it";

const languages = { bash, http, ini, javascript, json, python, sql, typescript, yaml };
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);
/** Names that the pages use, besides those that the highlighter knows. */
const aliases: Readonly<Record<string, string>> = { console: "bash", jsonata: "javascript" };

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** The content below a heading, as plain text. */
export interface Section extends Heading {
  readonly body: string;
}

export interface Rendered {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
}

/** Rewrites a link of the page. */
type Rewrite = (link: string) => string;

/** Renders a page. Headings have the anchors that GitHub gives them, so that links hold in both. */
export const render = (markdown: string, rewrite: Rewrite): Rendered => {
  const parser = newParser();
  const tokens = parser.parse(markdown, {});
  const sections = sectionsOf(tokens);
  for (const token of tokens) for (const child of token.children ?? []) rewriteIn(child, rewrite);
  return { title: sections[0]?.text ?? "", html: parser.renderer.render(tokens, parser.options, {}), sections };
};

const newParser = (): MarkdownIt => {
  const parser = new NewMarkdownIt({ html: false, linkify: false });
  const { rules } = parser.renderer;
  // Wide tables and code scroll by themselves, by keyboard too.
  rules["table_open"] = () => '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n';
  rules["table_close"] = () => "</table></div>\n";
  rules["fence"] = (tokens, index) =>
    codeHtml(parser, tokens[index], (tokens[index]?.info ?? "").trim().split(/\s/)[0]);
  rules["code_block"] = (tokens, index) => codeHtml(parser, tokens[index], "console");
  rules["heading_close"] = (tokens, index) => {
    const opening = tokens[index - 2];
    const id = opening?.attrGet("id") ?? "";
    const tag = opening?.tag ?? "h2";
    const link = tag === "h1" ? "" : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
    return `${link}</${tag}>\n`;
  };
  return parser;
};

const codeHtml = (parser: MarkdownIt, token: Token | undefined, named = ""): string => {
  const language = aliases[named] ?? named;
  const text = token?.content ?? "";
  const code = highlighter.getLanguage(language)
    ? highlighter.highlight(text, { language }).value
    : parser.utils.escapeHtml(text);
  return `<div class="code"><pre tabindex="0"><code>${code}</code></pre></div>\n`;
};

const rewriteIn = (token: Token, rewrite: Rewrite): void => {
  for (const name of ["href", "src"]) {
    const link = token.attrGet(name);
    if (link !== null) token.attrSet(name, rewrite(String(link)));
  }
  if (token.type === "image") token.attrSet("loading", "lazy");
};

const plain = (token: Token): string =>
  token.type === "inline" ? (token.children ?? []).map(plain).join("") : breakOr(token);
const breakOr = ({ type, content }: Token): string => (type === "softbreak" ? " " : content);

/** Sets the headings' anchors, and cuts the page at them. */
const sectionsOf = (tokens: readonly Token[]): readonly Section[] => {
  const slugger = new GithubSlugger();
  const sections: { level: number; id: string; text: string; body: string }[] = [];
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1];
    if (token.type === "heading_open" && inline !== undefined) {
      const text = plain(inline);
      const id = slugger.slug(text);
      token.attrSet("id", id);
      sections.push({ level: Number(token.tag.slice(1)), id, text, body: "" });
    } else if (tokens[index - 1]?.type !== "heading_open" && token.content !== "") {
      const section = sections.at(-1);
      if (section !== undefined) section.body = `${section.body} ${plain(token)}`.trim();
    }
  }
  return sections;
};
