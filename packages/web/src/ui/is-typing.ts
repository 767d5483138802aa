const FIELDS = "input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]";

/** Whether a key belongs to a field, the browser or somebody who handled it already. */
export const isTyping = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  event.isComposing ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  (event.target instanceof Element && event.target.closest(FIELDS) !== null);

const CONTROLS =
  "a, button, summary, input, [role=slider], [role=tab], [role=menu], [role=listbox], [role=option], [role=grid]";

/** Whether the part that has the focus does something of its own with a key such as Space or an arrow. */
export const usesKey = (target: EventTarget | null, key: string): boolean =>
  key !== "Escape" && target instanceof Element && target.closest(CONTROLS) !== null;
