import type { KeyboardEvent } from "react";

/** ↑ and ↓ go from row to row of a table; Enter follows the link of the row. */
export const stepRows = (event: KeyboardEvent<HTMLElement>): void => {
  const { currentTarget, key } = event;
  if (key === "Enter") {
    event.preventDefault();
    currentTarget.closest("tr")?.querySelector<HTMLElement>("th a")?.click();
    return;
  }
  const by = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  const rows = [...(currentTarget.closest("table")?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
  rows[rows.indexOf(currentTarget) + by]?.focus();
};
