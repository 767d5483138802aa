import { say } from "@curtail/words/page";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useUser } from "../../../api/session.js";
import {
  type AlarmGroup,
  type AlarmGroups as Groups,
  groupsHeading,
  shelvedWords,
} from "../../../rules/alarm-group.js";
import { mayWrite } from "../../../rules/role.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { switchSound, useSoundIsOn } from "../../../ui/sound-choice.js";
import { Answered } from "../../../ui/state.js";
import { TextLink } from "../../../ui/text-link.js";
import { useSoundWaits } from "../../../ui/use-alarm-sound.js";
import { useKeys } from "../../../ui/use-keys.js";
import { GroupRow } from "../alarms/group-row.js";
import { useAlarmGroups } from "../alarms/use-alarm-groups.js";

interface Shown {
  /** Id of the group whose alarms are shown. */
  readonly opened?: string | undefined;
  /** What is shown below it. */
  readonly below?: (group: AlarmGroup) => ReactNode;
  /** Whether the page leads to all alarms, or is about them. */
  readonly isAll?: boolean;
  /** Number of groups that there is room for; those that are left out are less urgent. */
  readonly most?: number;
}

/** Alarms in groups, the most urgent first: a line for each cause, with the call to make. */
export const AlarmGroups = (shown: Shown) => (
  <Answered of={useAlarmGroups()}>{(groups) => <Card groups={groups} {...shown} />}</Answered>
);

const Card = ({
  groups,
  opened,
  below,
  isAll = false,
  most = Number.POSITIVE_INFINITY,
}: Shown & { readonly groups: Groups }) => {
  const timeZone = usePageZone();
  const shelved = shelvedWords(groups, timeZone);
  const { items, as_of } = groups;
  const next = items.find(({ open, call_first }) => open > 0 && call_first?.contact?.phone)?.id;
  if (items.length === 0)
    return (
      <p className="px-4 py-1 text-muted">
        {say("No open alarms")}
        <Shelved words={shelved} />
      </p>
    );
  return (
    <section aria-label={say("Alarms")} className="min-w-0 rounded-xl bg-surface ring-1 ring-line">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 pt-2 pb-1 md:px-4">
        <h2 className="text-base font-semibold">{groupsHeading(groups)}</h2>
        <SoundChoice />
        {!isAll && (
          <span className="ml-auto text-sm">
            <TextLink to="/operations/alarms">{say("All alarms")}</TextLink>
          </span>
        )}
      </header>
      <ul aria-label={say("Groups of alarms")} className="divide-y divide-line">
        {items.slice(0, most).map((group) => (
          <GroupRow key={group.id} group={group} asOf={as_of} isNext={group.id === next} isOpen={group.id === opened}>
            {group.id === opened && below?.(group)}
          </GroupRow>
        ))}
      </ul>
      <Rest more={groups.groups - Math.min(items.length, most)} shelved={shelved} />
      <GroupKeys />
    </section>
  );
};

const Rest = ({ more, shelved }: { readonly more: number; readonly shelved: string | null }) => {
  if (more <= 0 && shelved === null) return null;
  return (
    <p className="border-t border-line px-4 py-2 text-sm text-muted">
      {more > 0 && say("{n, plural, one {# more group} other {# more groups}}, less urgent", { n: more })}
      <Shelved words={shelved} isFirst={more <= 0} />
    </p>
  );
};

const Shelved = ({ words, isFirst = false }: { readonly words: string | null; readonly isFirst?: boolean }) =>
  words !== null && (
    <>
      {!isFirst && ", "}
      <Link to="/operations/alarms" search={{ state: "shelved" }} className="font-medium text-accent hover:underline">
        {words}
      </Link>
    </>
  );

/** Of the group that has the focus, else of the first one. */
const press = (what: "call" | "acknowledge"): void => {
  const own = document.activeElement?.closest("[data-group]") ?? document.querySelector("[data-group]");
  own?.querySelector<HTMLElement>(`[data-${what}]`)?.click();
};

const GroupKeys = () => {
  const writes = mayWrite(useUser());
  useKeys(say("Alarms"), [
    { keys: "c", label: say("call", {}, "verb"), run: () => press("call") },
    ...(writes ? [{ keys: "a", label: say("acknowledge", {}, "verb"), run: () => press("acknowledge") }] : []),
  ]);
  return null;
};

const SoundChoice = () => {
  const [isOn, waits] = [useSoundIsOn(), useSoundWaits()];
  return (
    <span className="flex flex-wrap items-center gap-x-3 text-[13px] text-muted">
      {isOn &&
        (waits
          ? say("The browser allows sound after a press on the page")
          : say("Sound repeats until all are acknowledged"))}
      <button
        type="button"
        onClick={() => switchSound(!isOn)}
        className="min-h-6 font-medium text-accent hover:underline"
      >
        {isOn ? say("Turn the sound off") : say("Turn a sound on")}
      </button>
    </span>
  );
};
