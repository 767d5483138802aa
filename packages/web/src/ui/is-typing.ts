const FIELDS = "input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]";

/** Whether a key belongs to a field, a dialog, the browser or somebody who handled it already. */
export const isTyping = (event: KeyboardEvent): boolean => {
  if (event.defaultPrevented || event.isComposing || event.repeat) return true;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (event.target instanceof Element && event.target.closest(FIELDS) !== null) return true;
  return document.querySelector("[role=dialog], [role=alertdialog]") !== null;
};
