import type { KeyboardEvent } from "react";

/** ↑ and ↓ lead from one of some parts of the page to its neighbour. */
export const stepFocus = (event: KeyboardEvent<HTMLElement>, parts: Iterable<HTMLElement>): void => {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  const all = [...parts];
  all[all.indexOf(event.currentTarget) + by]?.focus();
};
