import { ParseOption, XmlCData, XmlDocument, XmlElement, XmlError, XmlText } from "libxml2-wasm";
import { decode } from "./decode.js";
import type { Element, QualifiedName } from "./element.js";
import { guard, MAX_MESSAGE_BYTES } from "./guard.js";
import { InvalidData } from "./invalid-data.js";
import { prefixOf } from "./namespaces.js";

// The text is already decoded, so the encoding in its declaration no longer applies.
const OPTIONS = (ParseOption.XML_PARSE_NO_XXE |
  ParseOption.XML_PARSE_NONET |
  ParseOption.XML_PARSE_NO_SYS_CATALOG |
  ParseOption.XML_PARSE_IGNORE_ENC) as ParseOption;

/** Parses a document from an untrusted peer and returns its root. Throws `InvalidData`, in bounded time and memory. */
export const readXml = (bytes: Uint8Array, charset: string | null): Element => {
  if (bytes.length > MAX_MESSAGE_BYTES) {
    throw new InvalidData("too_large", `the message has more than ${MAX_MESSAGE_BYTES} bytes; send less at a time`);
  }
  const xml = decode(bytes, charset).trim();
  guard(xml);
  const document = parse(xml);
  try {
    if (document.dtd !== null)
      throw new InvalidData("doctype", "the message has a document type declaration; send it without");
    return toElement(document.root);
  } finally {
    document.dispose();
  }
};

const parse = (xml: string): XmlDocument => {
  try {
    return XmlDocument.fromString(xml, { option: OPTIONS });
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new InvalidData("not_well_formed", "the message is not well-formed XML; correct it and send it again");
  }
};

const toElement = (node: XmlElement): Element => {
  const children: Element[] = [];
  let text = "";
  for (let child = node.firstChild; child !== null; child = child.next) {
    if (child instanceof XmlElement) children.push(toElement(child));
    else if (child instanceof XmlText || child instanceof XmlCData) text += child.content;
  }
  return { name: nameOf(node), text: children.length === 0 ? text : "", children };
};

const nameOf = (node: XmlElement): QualifiedName | null => {
  const prefix = prefixOf(node.namespaceUri);
  return prefix === null ? null : `${prefix}:${node.name}`;
};
