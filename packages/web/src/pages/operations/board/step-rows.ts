import type { KeyboardEvent } from "react";
import { stepFocus } from "../../../ui/step-focus.js";

/** ↑ and ↓ go from row to row of a table; Enter follows the link of the row. */
export const stepRows = (event: KeyboardEvent<HTMLElement>): void => {
  const { currentTarget, key } = event;
  if (key === "Enter") {
    event.preventDefault();
    currentTarget.closest("tr")?.querySelector<HTMLElement>("th a")?.click();
    return;
  }
  stepFocus(event, currentTarget.closest("table")?.querySelectorAll<HTMLElement>("[data-row]") ?? []);
};
