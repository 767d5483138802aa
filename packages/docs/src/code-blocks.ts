import MarkdownIt from "markdown-it";

/** A block of code in a Markdown page. */
export interface CodeBlock {
  readonly page: string;
  /** Line of its first line of code, counted from 1. */
  readonly line: number;
  /** As after the fence; `console` for an indented transcript, empty if there is none. */
  readonly language: string;
  /** The words after the language: `run`, `skip="why"`. A word without a value has the value `true`. */
  readonly notes: Readonly<Record<string, string>>;
  readonly text: string;
}

const parser = new MarkdownIt();

/** Every block of code of a page, in order. */
export const codeBlocks = (page: string, markdown: string): readonly CodeBlock[] =>
  parser.parse(markdown, {}).flatMap(({ type, map, info, content }) => {
    const line = (map?.[0] ?? 0) + 1;
    if (type === "fence") return [{ page, line: line + 1, ...infoOf(info), text: content }];
    if (type !== "code_block") return [];
    return [{ page, line, language: content.startsWith("$ ") ? "console" : "", notes: {}, text: content }];
  });

const infoOf = (info: string): Pick<CodeBlock, "language" | "notes"> => {
  const [language = ""] = info.trim().split(/\s/, 1);
  const words = info
    .trim()
    .slice(language.length)
    .matchAll(/(\w+)(?:=(?:"([^"]*)"|(\S+)))?/g);
  return {
    language,
    notes: Object.fromEntries([...words].map(([, name = "", quoted, bare]) => [name, quoted ?? bare ?? "true"])),
  };
};
