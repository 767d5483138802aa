import { say } from "@curtail/words/page";
/** Something that can be opened or done from the search. */
export interface FoundChoice {
  /** Unique among all choices. */
  readonly id: string;
  readonly label: string;
  /** Distinguishes it from others of the same name, for example the account of a site. */
  readonly detail?: string;
  /** What it is: `Site`, `Command`. */
  readonly kind: string;
  /** Other words that find it. */
  readonly words?: string;
  /** Address that it opens; a command without one does something here. */
  readonly to?: string;
  /** Keys that do the same. */
  readonly keys?: string;
}

export interface ChoiceGroup {
  readonly label: string;
  readonly items: readonly FoundChoice[];
}

const MOST_COMMANDS = 6;
const RECENTLY_SEEN = say("Recently seen");

/** 0: the text itself; 1: begins with it; 2: a word does; 3: contains it; null: does not. */
export const rankOf = (text: string, asked: string): number | null => {
  const [within, needle] = [folded(text), folded(asked)];
  const at = within.indexOf(needle);
  if (at < 0) return null;
  if (within === needle) return 0;
  if (at === 0) return 1;
  return within.includes(` ${needle}`) ? 2 : 3;
};

/** After all others: a command whose words are in another order, as a language or a person has them. */
const LAST_RANK = 9;

const hasEachWord = ({ label, words }: FoundChoice, asked: string): boolean => {
  if (words === undefined) return false;
  const within = ` ${folded(`${label} ${words}`).replaceAll(/[;,.…]/g, " ")}`;
  return folded(asked)
    .split(" ")
    .every((word) => within.includes(` ${word}`));
};

const folded = (text: string): string => text.normalize("NFC").toLowerCase().trim().replaceAll(/\s+/g, " ");

/** Those that match, best first; equal matches keep their order. */
export const matching = (choices: readonly FoundChoice[], asked: string): readonly FoundChoice[] =>
  choices
    .flatMap((choice) => {
      const ranks = [choice.label, choice.words ?? "", choice.detail ?? ""].map((text) => rankOf(text, asked));
      const rank = Math.min(
        ...ranks.map((each, place) => (each === null ? Number.POSITIVE_INFINITY : each + place / 10)),
      );
      if (Number.isFinite(rank)) return [{ choice, rank }];
      return hasEachWord(choice, asked) ? [{ choice, rank: LAST_RANK }] : [];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice);

/** Without a text, what was seen last and every command; with one, what it finds. */
export const groupsOf = (
  asked: string,
  { recent, commands, found }: { readonly [K in "recent" | "commands" | "found"]: readonly FoundChoice[] },
): readonly ChoiceGroup[] => {
  const isEmpty = asked.trim() === "";
  const seen = isEmpty ? recent : matching(recent, asked);
  const addresses = new Set(seen.map(({ to }) => to));
  const groups = [
    { label: RECENTLY_SEEN, items: seen },
    { label: say("Results"), items: isEmpty ? [] : found.filter(({ to }) => !addresses.has(to)) },
    { label: say("Commands"), items: isEmpty ? commands : matching(commands, asked).slice(0, MOST_COMMANDS) },
  ];
  return groups.filter(({ items }) => items.length > 0);
};

/**
 * Whether Enter waits for the answer: what is suggested may still change. What was seen recently comes first, whatever
 * the service finds.
 */
export const enterWaits = ({
  isSearching,
  isMoved,
  suggested,
}: {
  readonly isSearching: boolean;
  /** Whether arrow keys led to the choice. */
  readonly isMoved: boolean;
  readonly suggested: ChoiceGroup | undefined;
}): boolean => isSearching && !isMoved && suggested?.label !== RECENTLY_SEEN;
