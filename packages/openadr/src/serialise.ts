import type { Element } from "./element.js";
import { NAMESPACES, type Prefix } from "./namespaces.js";

/** The element as an XML document in UTF-8; the namespaces it uses are declared at the root. */
export const serialise = (root: Element): string => {
  const used = new Set<Prefix>();
  const content = contentOf(root, used);
  const rootName = nameOf(root, used);
  const declarations = [...used].map((prefix) => ` xmlns:${prefix}="${NAMESPACES[prefix]}"`).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${rootName}${declarations}>${content}</${rootName}>`;
};

const contentOf = (element: Element, used: Set<Prefix>): string => {
  if (element.children.length === 0) return escapeText(element.text);
  let xml = "";
  for (const child of element.children) xml += write(child, used);
  return xml;
};

const write = (element: Element, used: Set<Prefix>): string => {
  const name = nameOf(element, used);
  const content = contentOf(element, used);
  return content === "" ? `<${name}/>` : `<${name}>${content}</${name}>`;
};

const nameOf = ({ name }: Element, used: Set<Prefix>): string => {
  if (name === null) throw new Error("an element outside the namespaces of OpenADR 2.0a cannot be written");
  used.add(name.slice(0, name.indexOf(":")) as Prefix);
  return name;
};

/** Characters that XML cannot represent even escaped: control characters, lone surrogates, two non-characters. */
const UNWRITABLE = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const SPECIAL = /[&<>\r]/g;
const NEEDS_CARE = /[^\t\n\u0020-\u0025\u0027-\u003B\u003D\u003F-\uD7FF]/;
const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;" };

/** One odd character in a name must not keep a dispatch from its VEN, so it becomes U+FFFD. */
const escapeText = (text: string): string =>
  NEEDS_CARE.test(text)
    ? text.replace(UNWRITABLE, "\uFFFD").replace(SPECIAL, (character) => escapes[character] ?? character)
    : text;
