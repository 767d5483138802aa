import { say } from "@curtail/words/page";
import type { FoundChoice } from "../rules/finding.js";
import type { PageShortcut } from "../rules/shortcuts.js";
import type { NavGroup } from "../shell/navigation.js";

/** What a command does that is no page. */
export type Act = "theme auto" | "theme light" | "theme dark" | "shortcuts" | "sign out";

const acts: ReadonlyArray<readonly [Act, label: string, words: string]> = [
  ["theme light", say("Light colours"), `light colours theme day ${say("theme day", {}, "words that find a command")}`],
  [
    "theme dark",
    say("Dark colours"),
    `dark colours theme night ${say("theme night", {}, "words that find a command")}`,
  ],
  [
    "theme auto",
    say("Colours of the device"),
    `colours of the device theme auto ${say("theme auto", {}, "words that find a command")}`,
  ],
  [
    "shortcuts",
    say("Keyboard shortcuts"),
    `keyboard shortcuts help keys ${say("help keys", {}, "words that find a command")}`,
  ],
  ["sign out", say("Sign out"), `sign out log out leave ${say("log out leave", {}, "words that find a command")}`],
];

/** `hand over` of `/operations/hand-over`: near the English name of a page, whatever its language. */
const nameIn = (to: string): string => to.slice(to.lastIndexOf("/") + 1).replaceAll("-", " ");

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
          page(
            say("New dispatch"),
            "/operations/dispatches/new",
            `new dispatch create issue start ${say("create issue start", {}, "words that find a command")}`,
          ),
          page(
            say("New OpenADR 3 event"),
            "/operations/openadr3/events/new",
            `new event create price limit alert tariff ${say("create price limit alert tariff", {}, "words that find a command")}`,
          ),
        ]
      : []),
    ...groups.flatMap(({ items }) =>
      items.map(({ label, to }) => page(say("Go to {page}", { page: label }), to, `${label} ${nameIn(to)}`)),
    ),
    ...(isOperator
      ? [
          page(
            say("Wall display"),
            "/operations/wall",
            `wall display kiosk full screen tv ${say("kiosk full screen tv", {}, "words that find a command")}`,
          ),
        ]
      : []),
    page(
      say("Your settings"),
      "/you",
      `your settings profile password authenticator ${say("profile password authenticator", {}, "words that find a command")}`,
    ),
    ...acts.map(([id, label, words]) => ({ id, label, kind: "Command", words })),
  ];
};

export const actOf = ({ id }: FoundChoice): Act | null => acts.find(([act]) => act === id)?.[0] ?? null;
