import { invalidData } from "./invalid-data.js";
import type { Prefix } from "./namespaces.js";

/** A qualified name such as `ei:eventID`, always with the prefix of `NAMESPACES`, not that of the message. */
export type QualifiedName = `${Prefix}:${string}`;

/** An element of a message: children or text, never both, as nowhere in OpenADR 2.0a. */
export interface Element {
  /** Null for an element of a namespace that OpenADR 2.0a does not have. */
  readonly name: QualifiedName | null;
  readonly text: string;
  readonly children: readonly Element[];
}

export const leaf = (name: QualifiedName, text: string | number): Element => ({
  name,
  text: String(text),
  children: [],
});

/** An element around others; null stands for an optional one left out. */
export const branch = (name: QualifiedName, ...children: ReadonlyArray<Element | null>): Element => ({
  name,
  text: "",
  children: children.filter((child) => child !== null),
});

export const optionalLeaf = (name: QualifiedName, text: string | number | null): Element | null =>
  text === null ? null : leaf(name, text);

export const childrenOf = (parent: Element, name: QualifiedName): Element[] =>
  parent.children.filter((child) => child.name === name);

export const optionalChild = (parent: Element, name: QualifiedName): Element | null =>
  parent.children.find((child) => child.name === name) ?? null;

/** Throws `InvalidData` when there is none. */
export const child = (parent: Element, name: QualifiedName): Element => {
  const found = optionalChild(parent, name);
  if (found === null) throw invalidData(`${parent.name} has no ${name}; add it`);
  return found;
};

/** The text of a child without the space around it; null when the child is missing or empty. */
export const optionalText = (parent: Element, name: QualifiedName): string | null => {
  const text = optionalChild(parent, name)?.text.trim() ?? "";
  return text === "" ? null : text;
};

/** Throws `InvalidData` when the child is missing or empty. */
export const text = (parent: Element, name: QualifiedName): string => {
  const found = optionalText(parent, name);
  if (found === null) throw invalidData(`${name} in ${parent.name} is missing or empty; give it a value`);
  return found;
};
