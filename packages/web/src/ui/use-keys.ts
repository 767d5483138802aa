import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { isTyping, usesKey } from "./is-typing.js";
import { type Begun, isCharacter, keyOf, pressed, type Shortcut } from "./key-press.js";
import { shortcutsAreOn } from "./shortcut-choice.js";

/** A key of a page, with what it does in words. */
export interface PageKey extends Shortcut {
  /** Left out where the part that has the focus handles the key itself: it is only listed. */
  readonly run?: (() => void) | undefined;
  /** Acts again while it is held down. */
  readonly repeats?: boolean;
}

/** Keys of the frame give way to those of the page; those of a drawer act over it. */
export type KeyPlace = "frame" | "page" | "drawer";

export interface KeySection {
  readonly title: string;
  readonly place: KeyPlace;
  readonly keys: readonly PageKey[];
}

interface Declared {
  readonly title: string;
  readonly place: KeyPlace;
  readonly latest: { readonly current: readonly PageKey[] };
}

let declared: readonly Declared[] = [];
let sections: readonly KeySection[] = [];
const listeners = new Set<() => void>();

const change = (next: readonly Declared[]): void => {
  if (declared.length === 0 && next.length > 0) window.addEventListener("keydown", listen);
  if (declared.length > 0 && next.length === 0) window.removeEventListener("keydown", listen);
  declared = next;
  sections = next.map(({ title, place, latest }) => ({ title, place, keys: latest.current }));
  for (const listener of listeners) listener();
};

/**
 * Declares keys of a page while it is shown. They rest while somebody types or a dialog is open; single characters also
 * where they are switched off (WCAG 2.1.4). `?` lists them under the title.
 *
 * @example useKeys("Board", [{ keys: "e", label: "Extend", run: () => setOpen(true) }]);
 */
export const useKeys = (title: string, keys: readonly PageKey[], place: KeyPlace = "page"): void => {
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  // Declared again once a word changes, so that the list of keys follows.
  const words = keys.map((each) => `${each.keys} ${each.label}`).join("\n");
  useEffect(() => {
    if (words === "") return;
    const own = { title, place, latest };
    change([...declared, own]);
    return () => change(declared.filter((each) => each !== own));
  }, [title, place, words]);
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** All keys that are declared, those of the page first. */
export const useDeclaredKeys = (): readonly KeySection[] => useSyncExternalStore(subscribe, () => sections);

let begun: Begun | null = null;

const listen = (event: KeyboardEvent): void => {
  const dialogs = document.querySelectorAll("[role=dialog], [role=alertdialog]").length;
  if (dialogs > 1 || isTyping(event)) return;
  const key = keyOf(event);
  if (isCharacter(key) ? !shortcutsAreOn() : usesKey(event.target, key)) return;
  const next = pressed(actingKeys(dialogs === 1), begun, { key, atMs: event.timeStamp });
  begun = next.begun;
  if (next.found === null || (event.repeat && next.found.repeats !== true)) return;
  event.preventDefault();
  next.found.run?.();
};

const order = ["drawer", "page", "frame"] as const;

/** The first of equal keys acts: that of the part that was shown last. */
const actingKeys = (isOver: boolean): readonly PageKey[] =>
  declared
    .toReversed()
    .filter(({ place }) => (place === "drawer") === isOver)
    .sort((a, b) => order.indexOf(a.place) - order.indexOf(b.place))
    .flatMap(({ latest }) => latest.current.filter(({ run }) => run !== undefined));
