import { say } from "@curtail/words/page";
import type { FoundChoice } from "../rules/finding.js";
import type { PageShortcut } from "../rules/shortcuts.js";
import type { NavGroup } from "../shell/navigation.js";

/** What a command does that is no page. */
export type Act = "theme auto" | "theme light" | "theme dark" | "shortcuts" | "sign out";

const acts: ReadonlyArray<readonly [Act, label: string, words: string]> = [
  ["theme light", say("Light colours"), "theme day"],
  ["theme dark", say("Dark colours"), "theme night"],
  ["theme auto", say("Colours of the device"), "theme auto"],
  ["shortcuts", say("Keyboard shortcuts"), "help keys"],
  ["sign out", say("Sign out"), "log out leave"],
];

/** Everything that can be done from the search, as the navigation offers it to the role. */
export const commandsOf = (
  { side, groups, writes }: { readonly side: string; readonly groups: readonly NavGroup[]; readonly writes: boolean },
  shortcuts: readonly PageShortcut[],
): readonly FoundChoice[] => {
  const keysOf = (to: string) => shortcuts.find((each) => each.to === to)?.keys;
  const page = (label: string, to: string, words = ""): FoundChoice => {
    const keys = keysOf(to);
    return { id: `open ${to}`, label, kind: "Command", words, to, ...(keys === undefined ? {} : { keys }) };
  };
  const isOperator = side === "/operations";
  return [
    ...(isOperator && writes
      ? [
          page(say("New dispatch"), "/operations/dispatches/new", "create issue start"),
          page(say("New OpenADR 3 event"), "/operations/openadr3/events/new", "create price limit alert tariff"),
        ]
      : []),
    ...groups.flatMap(({ items }) => items.map(({ label, to }) => page(`Go to ${label}`, to, label))),
    ...(isOperator ? [page(say("Wall display"), "/operations/wall", "kiosk full screen tv")] : []),
    page(say("Your settings"), "/you", "profile password authenticator"),
    ...acts.map(([id, label, words]) => ({ id, label, kind: "Command", words })),
  ];
};

export const actOf = ({ id }: FoundChoice): Act | null => acts.find(([act]) => act === id)?.[0] ?? null;
