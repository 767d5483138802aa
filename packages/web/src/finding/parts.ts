// Loaded when the search or the list of shortcuts is opened.
export { Palette } from "./palette.js";
export { ShortcutHelp } from "./shortcut-help.js";
