import { pageWords } from "@curtail/words/page";
import { Children, type ReactNode } from "react";

type Inside = (inside: ReactNode) => ReactNode;

/** A sentence with elements in it, as values or as `<tags>`: `sayParts("Call <b>{name}</b>.", { name, b: (inside) => <b>{inside}</b> })`. */
export const sayParts = (text: string, values: Readonly<Record<string, ReactNode | Inside>>): ReactNode =>
  // Its keys are the places of the parts.
  Children.toArray(pageWords().sayParts(text, Object.fromEntries(Object.entries(values).map(withKeys))) as ReactNode[]);

const withKeys = ([name, value]: [string, ReactNode | Inside]): [string, never] => [
  name,
  (typeof value === "function" ? (inside: ReactNode) => value(Children.toArray(inside)) : value) as never,
];
