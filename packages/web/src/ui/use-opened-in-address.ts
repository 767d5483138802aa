import { useRouter } from "@tanstack/react-router";

/** Marks the entry of a drawer, which Back leaves. */
const MARK = "drawer";

interface Move {
  readonly replace: boolean;
  readonly state?: { readonly open: readonly string[] };
}

/**
 * How to go to what a drawer shows, by the one that its address names: opening adds an entry to the history, stepping
 * replaces it, and closing goes back to the page that it was opened on.
 */
export const useOpenedInAddress = (
  opened: string | undefined,
  go: (next: string | null, move: Move) => void,
): ((next: string | null) => void) => {
  const { history } = useRouter();
  return (next) => {
    const isEntry = history.location.state.open?.at(-1) === MARK;
    if (next === null && isEntry) return history.back();
    const adds = opened === undefined && next !== null;
    go(next, { replace: !adds, ...(adds || isEntry ? { state: { open: [MARK] } } : {}) });
  };
};
