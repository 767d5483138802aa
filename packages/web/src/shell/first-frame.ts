/** Removes what the HTML showed until the first page was ready. */
export const removeFirstFrame = (): void => document.getElementById("first-frame")?.remove();
