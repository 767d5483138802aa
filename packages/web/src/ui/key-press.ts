import { say } from "@curtail/words/page";
/** A key, or two one after the other: `n`, `g b`; the names of keys that are no characters: `ArrowLeft`, `Escape`, `Space`. */
export interface Shortcut {
  readonly keys: string;
  /** What it does. */
  readonly label: string;
}

/** The first key of two, and when it was pressed. */
export interface Begun {
  readonly key: string;
  readonly atMs: number;
}

const PATIENCE_MS = 1500;

/** What a key does after the one before: a shortcut, or the beginning of two keys. Of equal ones the first acts. */
export const pressed = <Each extends Shortcut>(
  shortcuts: readonly Each[],
  begun: Begun | null,
  { key, atMs }: Begun,
): { readonly found: Each | null; readonly begun: Begun | null } => {
  const isTimely = begun !== null && atMs - begun.atMs <= PATIENCE_MS;
  const second = isTimely ? shortcuts.find(({ keys }) => keys === `${begun.key} ${key}`) : undefined;
  const found = second ?? shortcuts.find(({ keys }) => keys === key);
  if (found !== undefined) return { found, begun: null };
  return { found: null, begun: shortcuts.some(({ keys }) => keys.startsWith(`${key} `)) ? { key, atMs } : null };
};

/** A key as shortcuts name it: letters are small, also while Caps Lock is on. */
export const keyOf = ({ key, shiftKey }: { readonly key: string; readonly shiftKey: boolean }): string =>
  key === " " ? "Space" : isCharacter(key) && !shiftKey ? key.toLowerCase() : key;

/** Whether somebody who speaks to the computer may press it by accident (WCAG 2.1.4). */
export const isCharacter = (key: string): boolean => /^.$/u.test(key);

const names: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: say("Esc"),
};

/** The keys of a shortcut as they are printed on a keyboard. */
export const printedKeys = (keys: string): readonly string[] =>
  keys.split(" ").map((key) => names[key] ?? (/^[a-z]$/.test(key) ? key.toUpperCase() : key));
