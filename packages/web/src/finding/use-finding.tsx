import { say } from "@curtail/words/page";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useSignOut } from "../api/session.js";
import { shortcutsOf } from "../rules/shortcuts.js";
import { useNotify } from "../ui/notify.js";
import { chooseTheme } from "../ui/theme.js";
import { useKeys } from "../ui/use-keys.js";
import type { Act } from "./commands.js";
import type { Finding } from "./palette.js";
import type * as parts from "./parts.js";
import { useRecentlySeen } from "./use-recently-seen.js";

type Parts = typeof parts;
type Opened = "search" | "shortcuts";

/** Waits, so that the open page loads first. */
const CALM_MS = 3000;

/** The search and the list of shortcuts, with the keys that work on every page. */
export const useFinding = (finding: Finding): { readonly search: () => void; readonly dialogs: ReactNode } => {
  const { parts, load } = useParts();
  const [opened, setOpened] = useState<Opened | null>(null);
  const act = useAct(() => setOpened("shortcuts"));
  const open = (what: Opened) => {
    setOpened(what);
    load(() => setOpened(null));
  };
  useFrameKeys(finding, open);
  useRecentlySeen(finding.userId, useRouterState({ select: ({ location }) => location.pathname }));
  const close = () => setOpened(null);
  const dialogs = (
    <>
      {parts !== null && opened === "search" && <parts.Palette {...finding} onClose={close} onAct={act} />}
      {parts !== null && opened === "shortcuts" && <parts.ShortcutHelp onClose={close} />}
    </>
  );
  return { search: () => open("search"), dialogs };
};

/** The dialogs are loaded when the page is idle, so that they open even while the service is down. */
const useParts = () => {
  const [parts, setParts] = useState<Parts | null>(null);
  const notify = useNotify();
  useEffect(() => {
    const timer = setTimeout(() => {
      // Loaded again, with a message, once somebody opens it.
      import("./parts.js").then(setParts, () => undefined);
    }, CALM_MS);
    return () => clearTimeout(timer);
  }, []);
  const load = (onFailure: () => void) => {
    if (parts !== null) return;
    import("./parts.js").then(setParts, () => {
      onFailure();
      notify.bad(say("The search could not be loaded. Check the connection and try again, or reload the page."));
    });
  };
  return { parts, load };
};

const useAct = (showShortcuts: () => void): ((act: Act) => void) => {
  const signOut = useSignOut();
  return (act) => {
    if (act === "shortcuts") showShortcuts();
    else if (act === "sign out") void signOut();
    else if (act === "theme auto") chooseTheme("auto");
    else chooseTheme(act === "theme light" ? "light" : "dark");
  };
};

const isSearchKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey && !shiftKey;

const useFrameKeys = ({ side, writes }: Finding, open: (what: Opened) => void): void => {
  const { history } = useRouter();
  useKeys(
    say("Everywhere"),
    [
      { keys: "Ctrl+K", label: say("Search, also ⌘ K") },
      { keys: "/", label: say("Search"), run: () => open("search") },
      { keys: "?", label: say("All keys"), run: () => open("shortcuts") },
      { keys: "Tab", label: say("Next part") },
    ],
    "frame",
  );
  useKeys(
    say("Go to"),
    shortcutsOf(side, writes).map(({ to, ...shortcut }) => ({ ...shortcut, run: () => history.push(to) })),
    "frame",
  );
  useSearchKey(() => open("search"));
};

/** Also acts while somebody types, and where single keys are switched off. */
const useSearchKey = (search: () => void): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isSearchKey(event) || document.querySelector("[role=dialog], [role=alertdialog]") !== null) return;
    event.preventDefault();
    search();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
};
