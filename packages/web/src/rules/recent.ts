import { say } from "@curtail/words/page";
/** A page about one object that was opened. */
export interface Seen {
  readonly to: string;
  readonly label: string;
  readonly kind: string;
}

const MOST = 8;

const kinds: Readonly<Record<string, string>> = {
  accounts: say("Account"),
  sites: say("Site"),
  programs: say("Program"),
  dispatches: say("Dispatch", {}, "noun"),
  vens: "VEN",
  statements: say("Statement"),
};

/** What an address is about; null unless it is one object. */
export const kindOfPage = (path: string): string | null => {
  const [, noun = "", id = ""] = /^\/(?:operations|dashboard)\/(\w+)\/([\w-]+)$/.exec(path) ?? [];
  return id === "" || id === "new" ? null : (kinds[noun] ?? null);
};

/** The latest first, each once. */
export const withSeen = (before: readonly Seen[], seen: Seen): readonly Seen[] =>
  [seen, ...before.filter(({ to }) => to !== seen.to)].slice(0, MOST);

/** The stored addresses; any other text counts as none. */
export const seenFrom = (text: string | null): readonly Seen[] => {
  try {
    const stored: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(stored) ? stored.filter(isSeen).slice(0, MOST) : [];
  } catch {
    // Written by something else: it is replaced by the next page that is opened.
    return [];
  }
};

const isSeen = (value: unknown): value is Seen => {
  const { to, label, kind } = (value ?? {}) as Record<string, unknown>;
  return typeof to === "string" && to.startsWith("/") && typeof label === "string" && typeof kind === "string";
};
