import { invalidData } from "./invalid-data.js";
import type { Prefix } from "./namespaces.js";

/** A qualified name such as `ei:eventID`, always with the prefix of `NAMESPACES`, whatever the message uses. */
export type QualifiedName = `${Prefix}:${string}`;

/** An element of a message: children or text; OpenADR 2.0a never mixes them. */
export interface Element {
  /** null for an element of a namespace that is not part of OpenADR 2.0a. */
  readonly name: QualifiedName | null;
  readonly text: string;
  readonly children: readonly Element[];
}

export const leaf = (name: QualifiedName, text: string | number): Element => ({
  name,
  text: String(text),
  children: [],
});

/** An element with children; null stands for an omitted optional one. */
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

/** Throws `InvalidData` if there is none. */
export const child = (parent: Element, name: QualifiedName): Element => {
  const found = optionalChild(parent, name);
  if (found === null) throw invalidData(`${parent.name} has no ${name}; add it`);
  return found;
};

/** The trimmed text of a child; null if the child is missing or empty. */
export const optionalText = (parent: Element, name: QualifiedName): string | null => {
  const text = optionalChild(parent, name)?.text.trim() ?? "";
  return text === "" ? null : text;
};

/** Throws `InvalidData` if the child is missing or empty. */
export const text = (parent: Element, name: QualifiedName): string => {
  const found = optionalText(parent, name);
  if (found === null) throw invalidData(`${name} in ${parent.name} is missing or empty; give it a value`);
  return found;
};
