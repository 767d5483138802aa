import { useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef, useState } from "react";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** What is open over the page, one over the other. */
    readonly open?: readonly string[];
  }
}

type Search = Readonly<Record<string, unknown>>;

/** Closed while something that it opened was over it: their entries go together. */
const closedBelow = new Set<string>();

const without = (before: Search): Search =>
  Object.fromEntries(Object.entries(before).filter(([name]) => name !== "do"));

/**
 * Something that is open over a page has an entry in the history, so that Back closes it; with an address, `do` in the
 * search opens it, too.
 */
export const useHistoryEntry = (isOpen: boolean, onClose: () => void, address: string | null = null): void => {
  const router = useRouter();
  const [id] = useState(() => crypto.randomUUID());
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isAt = () => router.history.location.state.open?.at(-1) === id;
  const isAtAddress = () => address !== null && new URLSearchParams(window.location.search).get("do") === address;
  const go = (search: (before: Search) => Search, options: object) =>
    void router.navigate({ to: ".", search: search as never, resetScroll: false, ...options });
  const enter = () => {
    closedBelow.delete(id);
    if (isAt() || isAtAddress()) return;
    const open = [...(router.history.location.state.open ?? []), id];
    go((before) => (address === null ? before : { ...before, do: address }), { state: { open } });
  };
  // Later, as what closes it may open another page: that one's entry must not be left.
  const leave = () => {
    const open = router.history.location.state.open ?? [];
    if (open.includes(id)) closedBelow.add(id);
    const entries = open.length - 1 - open.findLastIndex((each) => !closedBelow.has(each));
    if (entries > 0) router.history.go(-entries);
    else if (isAtAddress()) go(without, { replace: true });
  };
  const opened = useEffectEvent(enter);
  const closed = useEffectEvent(leave);
  const onMove = useEffectEvent(({ action }: { readonly action: { readonly type: string } }) => {
    const isMoved = action.type !== "PUSH" && action.type !== "REPLACE";
    if (isMoved && router.history.location.state.open?.includes(id) !== true && !isAtAddress()) onClose();
  });
  useEffect(() => {
    if (!isOpen) return;
    clearTimeout(closing.current);
    opened();
    const stop = router.history.subscribe((change) => onMove(change));
    return () => {
      stop();
      closing.current = setTimeout(() => closed());
    };
  }, [isOpen, router]);
};
