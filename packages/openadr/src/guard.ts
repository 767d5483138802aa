import { InvalidData } from "./invalid-data.js";

/** The largest message that is accepted. */
export const MAX_MESSAGE_BYTES = 256 * 1024;
/** OpenADR 2.0a needs 10. */
export const MAX_DEPTH = 32;
/** A message of 256 kB has about 6,000. */
export const MAX_ELEMENTS = 20_000;

/**
 * Throws if the text has a document type (and so, perhaps, entities), a processing instruction among its elements
 * (libxml2-wasm cannot skip one), or more levels or elements than any message. A single pass that only counts tags; the
 * parser checks whether they match.
 */
export const guard = (xml: string): void => {
  let depth = 0;
  let elements = 0;
  for (let at = xml.indexOf("<"); at !== -1; at = xml.indexOf("<", at)) {
    if (depth > 0 && xml.startsWith("<?", at)) {
      throw new InvalidData("processing_instruction", "the message has a processing instruction; send it without");
    }
    const tag = readTag(xml, at);
    if (tag.opens) elements++;
    depth += tag.depthChange;
    if (depth > MAX_DEPTH)
      throw new InvalidData("too_deep", `the message has more than ${MAX_DEPTH} levels; nest it as in the schema`);
    if (elements > MAX_ELEMENTS) {
      throw new InvalidData(
        "too_many_elements",
        `the message has more than ${MAX_ELEMENTS} elements; send less at a time`,
      );
    }
    at = tag.end;
  }
};

interface Tag {
  readonly opens: boolean;
  readonly depthChange: -1 | 0 | 1;
  /** Where to continue. */
  readonly end: number;
}

const readTag = (xml: string, at: number): Tag => {
  const next = xml[at + 1];
  if (next === "!") return { opens: false, depthChange: 0, end: skipDeclaration(xml, at) };
  if (next === "?") return { opens: false, depthChange: 0, end: after(xml, "?>", at) };
  if (next === "/") return { opens: false, depthChange: -1, end: at + 1 };
  const end = tagEnd(xml, at);
  return { opens: true, depthChange: xml[end - 2] === "/" ? 0 : 1, end };
};

const skipDeclaration = (xml: string, at: number): number => {
  if (xml.startsWith("<!--", at)) return after(xml, "-->", at + 4);
  if (xml.startsWith("<![CDATA[", at)) return after(xml, "]]>", at);
  throw new InvalidData("doctype", "the message has a document type declaration; send it without");
};

/** Position after the mark; the end of the text without one, which no parser accepts. */
const after = (xml: string, mark: string, from: number): number => {
  const found = xml.indexOf(mark, from);
  return found === -1 ? xml.length : found + mark.length;
};

/** Position after a tag's `>`, ignoring those in attribute values. */
const tagEnd = (xml: string, at: number): number => {
  let quote: string | null = null;
  for (let index = at; index < xml.length; index++) {
    const character = xml[index];
    if (quote !== null) {
      if (character === quote) quote = null;
    } else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return index + 1;
  }
  return xml.length;
};
