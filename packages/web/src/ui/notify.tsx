import { say } from "@curtail/words/page";
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { Button } from "./button.js";

/** What can be done about a notice, for example undo what it says. */
interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
}

interface Notice {
  readonly id: number;
  readonly tone: "good" | "bad";
  readonly words: string;
  readonly action: NoticeAction | null;
}

/** More would cover the page. */
const MOST = 4;
const SHOWN_MS = 5000;
/** To read what went wrong, or to decide. */
const LONG_MS = 12_000;

let notices: readonly Notice[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

const change = (next: readonly Notice[]): void => {
  notices = next.slice(-MOST);
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const add = (notice: Omit<Notice, "id">): void => change([...notices, { ...notice, id: nextId++ }]);
const remove = (id: number): void => change(notices.filter((each) => each.id !== id));

const notify = {
  good: (words: string, action: NoticeAction | null = null) => add({ tone: "good", words, action }),
  bad: (words: string) => add({ tone: "bad", words, action: null }),
} as const;

/** Shows results and errors in a corner of the page and to screen readers. */
export const useNotify = () => notify;

/** The page, with its notices in a corner. A press there leaves an open dialog open. */
export const Notices = ({ children }: { readonly children: ReactNode }) => (
  <>
    {children}
    <Shown />
  </>
);

/** Whether something happened on a notice. */
export const isOnNotice = ({ target }: Event): boolean =>
  target instanceof Element && target.closest("[data-notices]") !== null;

const Shown = () => {
  const shown = useSyncExternalStore(subscribe, () => notices);
  return (
    <div
      data-notices=""
      // Always there, so that what is added is read out.
      aria-live="polite"
      className="fixed right-4 bottom-4 z-50 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2 max-md:bottom-18 print:hidden"
    >
      {shown.map((notice) => (
        <One key={notice.id} notice={notice} />
      ))}
    </div>
  );
};

const One = ({ notice: { id, tone, words, action } }: { readonly notice: Notice }) => {
  const hold = useTimeLimit(tone === "bad" || action !== null ? LONG_MS : SHOWN_MS, () => remove(id));
  const act = () => {
    remove(id);
    action?.run();
  };
  return (
    <div
      role={tone === "bad" ? "alert" : undefined}
      className={`flex items-start gap-3 rounded-lg border-l-4 bg-surface p-3 shadow-lg ring-1 ring-line ${tone === "bad" ? "border-bad" : "border-line-strong"}`}
      {...hold}
    >
      <p className="min-w-0 flex-1 self-center text-sm break-words">{words}</p>
      {action !== null && <Button onClick={act}>{action.label}</Button>}
      <Button look="quiet" onClick={() => remove(id)}>
        {say("Dismiss")}
      </Button>
    </div>
  );
};

/** Ends after a time, which rests while the pointer or the focus is on it (WCAG 2.2.1). */
const useTimeLimit = (ms: number, end: () => void) => {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(end, ms);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- `end` is another function in each rendering, of the same notice
  }, [isHeld, ms]);
  const [onHold, onRelease] = [() => setHeld(true), () => setHeld(false)];
  return { onPointerEnter: onHold, onPointerLeave: onRelease, onFocus: onHold, onBlur: onRelease };
};
