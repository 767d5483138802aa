import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { say } from "@curtail/words/page";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { recentlySeen } from "../api/recent.js";
import { useOperator } from "../api/use-call.js";
import { dispatchActs } from "../rules/dispatch-acts.js";
import { type ChoiceGroup, enterWaits, type FoundChoice, groupsOf } from "../rules/finding.js";
import { kindOfPage } from "../rules/recent.js";
import { shortcutsOf } from "../rules/shortcuts.js";
import type { NavGroup } from "../shell/navigation.js";
import { Icon } from "../ui/icon.js";
import { Keys } from "../ui/keys.js";
import { Fault } from "../ui/state.js";
import { useHistoryEntry } from "../ui/use-history-entry.js";
import { type Act, actOf, commandsOf } from "./commands.js";
import { useFound } from "./use-found.js";

export interface Finding {
  readonly side: string;
  readonly groups: readonly NavGroup[];
  readonly writes: boolean;
  readonly userId: string;
}

/** Finds pages, objects and commands by a text. */
export const Palette = ({
  onClose,
  onAct,
  ...finding
}: Finding & { readonly onClose: () => void; readonly onAct: (act: Act) => void }) => {
  const { history } = useRouter();
  useHistoryEntry(true, onClose);
  const choose = (choice: FoundChoice) => {
    onClose();
    // In place of the entry of the search: Back leads to the page that it was opened on.
    if (choice.to !== undefined) history.replace(choice.to);
    const act = actOf(choice);
    if (act !== null) onAct(act);
  };
  return (
    <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[rgb(8_14_20/0.5)]" />
        <Dialog.Popup
          aria-label={say("Search")}
          className="fixed top-[12dvh] left-1/2 z-40 flex max-h-[72dvh] w-[min(40rem,calc(100vw-1.5rem))] -translate-x-1/2 flex-col overflow-hidden rounded-2xl bg-surface shadow-2xl ring-1 ring-line max-sm:inset-0 max-sm:h-dvh max-sm:max-h-none max-sm:w-auto max-sm:translate-x-0 max-sm:rounded-none"
        >
          <Choices {...finding} onChoose={choose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

const Choices = ({ onChoose, ...finding }: Finding & { readonly onChoose: (choice: FoundChoice) => void }) => {
  const [typed, setTyped] = useState("");
  const { choices: found, isSearching, error } = useFound(finding.side, typed);
  const groups = groupsOf(typed, { found, recent: useRecent(finding.userId), commands: useCommands(finding, typed) });
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const enter = useEnter({ typed, isSearching, suggested: groups[0], onChoose });
  return (
    <Autocomplete.Root
      open
      inline
      // The service and our own rules have chosen; the control would filter again.
      mode="none"
      filter={null}
      items={groups.map(({ label, items }) => ({ value: label, items }))}
      itemToStringValue={({ label }) => label}
      value={typed}
      onValueChange={(value, { reason }) => {
        if (reason === "item-press") return;
        enter.forget();
        setTyped(value);
      }}
      onItemHighlighted={(_, { reason }) => enter.noteMove(reason === "keyboard")}
      autoHighlight="always"
      keepHighlight
    >
      <div className="flex items-center gap-2 border-b border-line pl-4">
        <span className="text-muted">
          <Icon name="search" />
        </span>
        <Autocomplete.Input
          aria-label={say("Search for accounts, sites, dispatches, people and commands")}
          placeholder={say("Search or type a command")}
          maxLength={200}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing || !enter.mustWait()) return;
            event.preventDefault();
            event.preventBaseUIHandler();
          }}
          className="h-14 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted"
        />
        <Dialog.Close className="m-2 min-h-9 rounded-lg px-3 text-sm font-medium text-accent hover:bg-accent-soft">
          {say("Close")}
        </Dialog.Close>
      </div>
      <div role="status" className="sr-only">
        {isSearching ? say("Searching…") : say("{n, plural, one {# result} other {# results}}", { n: count })}
      </div>
      <div className="flex min-h-0 flex-1 flex-col">
        {error !== null && <Fault error={error} />}
        {count === 0 && (
          <p className="px-3 py-8 text-center text-muted">
            {isSearching
              ? say("Searching…")
              : say("No results. Search by name, identifier, email address or day (2026-07-14).")}
          </p>
        )}
        <Autocomplete.List className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2">
          {(group: { readonly value: string; readonly items: readonly FoundChoice[] }) => (
            <Group key={group.value} group={{ label: group.value, items: group.items }} onChoose={onChoose} />
          )}
        </Autocomplete.List>
      </div>
    </Autocomplete.Root>
  );
};

interface Entered {
  readonly typed: string;
  readonly isSearching: boolean;
  /** Its first choice is what Enter opens. */
  readonly suggested: ChoiceGroup | undefined;
  readonly onChoose: (choice: FoundChoice) => void;
}

/** Enter opens the first answer to what is typed, and waits for it; a choice that arrow keys led to is opened at once. */
const useEnter = ({ typed, isSearching, suggested, onChoose }: Entered) => {
  const awaited = useRef<string | null>(null);
  const [isMoved, setMoved] = useState(false);
  const settle = useEffectEvent(() => {
    const [first] = suggested?.items ?? [];
    const opens = awaited.current === typed && first !== undefined;
    awaited.current = null;
    if (opens) onChoose(first);
  });
  useEffect(() => {
    if (!isSearching) settle();
  }, [isSearching]);
  return {
    noteMove: setMoved,
    forget() {
      awaited.current = null;
      setMoved(false);
    },
    /** Whether the list still answers an earlier text. */
    mustWait(): boolean {
      if (!enterWaits({ isSearching, isMoved, suggested })) return false;
      awaited.current = typed;
      return true;
    },
  };
};

const Group = ({
  group: { label, items },
  onChoose,
}: {
  readonly group: ChoiceGroup;
  readonly onChoose: (choice: FoundChoice) => void;
}) => (
  <Autocomplete.Group items={items} className="pb-2">
    <Autocomplete.GroupLabel className="px-3 pt-2 pb-1 text-xs font-medium tracking-wide text-muted uppercase">
      {label}
    </Autocomplete.GroupLabel>
    <Autocomplete.Collection>
      {(choice: FoundChoice) => (
        <Autocomplete.Item
          key={choice.id}
          value={choice}
          onClick={() => onChoose(choice)}
          className="flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-3 py-1.5 select-none data-highlighted:bg-accent-soft"
        >
          <span className="min-w-0 flex-1">
            <span className="block truncate">{choice.label}</span>
            {choice.detail !== undefined && choice.detail !== "" && (
              <span className="block truncate text-sm text-muted">{choice.detail}</span>
            )}
          </span>
          {choice.keys === undefined ? (
            choice.kind !== "Command" && <span className="shrink-0 text-sm text-muted">{choice.kind}</span>
          ) : (
            <Keys keys={choice.keys} />
          )}
        </Autocomplete.Item>
      )}
    </Autocomplete.Collection>
  </Autocomplete.Group>
);

const useRecent = (userId: string): readonly FoundChoice[] =>
  // Read once per opening of the dialog.
  useState(() =>
    recentlySeen(userId)
      .filter(({ to }) => to !== window.location.pathname)
      // What it was called when it was seen may have been in another language.
      .map(({ to, label, kind }) => ({ id: `seen ${to}`, label, kind: kindOfPage(to) ?? kind, to })),
  )[0];

const useCommands = ({ side, groups, writes }: Finding, typed: string): readonly FoundChoice[] => {
  const { data } = useOperator("/overview", {}, { enabled: side === "/operations" && writes });
  const general = commandsOf({ side, groups, writes }, shortcutsOf(side, writes));
  return [...dispatchActs(data?.dispatches.active ?? [], typed), ...general];
};
