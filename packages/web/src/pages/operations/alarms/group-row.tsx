import { say } from "@curtail/words/page";
import { Link, useNavigate } from "@tanstack/react-router";
import type { KeyboardEvent, ReactNode } from "react";
import { useUser } from "../../../api/session.js";
import { count } from "../../../format/quantity.js";
import {
  type AlarmGroup,
  groupAttendant,
  groupDetails,
  groupHeading,
  groupTitle,
  shelfEnds,
} from "../../../rules/alarm-group.js";
import { mayWrite } from "../../../rules/role.js";
import { ActionMenu } from "../../../ui/action-menu.js";
import { Button } from "../../../ui/button.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { stepFocus } from "../../../ui/step-focus.js";
import { useNow } from "../../../ui/use-now.js";
import { AssignButton } from "./assign.js";
import { CallButton, FirstAccount } from "./call-first.js";
import { PriorityMark } from "./priority-mark.js";
import { useGroupActs } from "./use-group-acts.js";

interface Of {
  readonly group: AlarmGroup;
  /** When it was counted. */
  readonly asOf: string;
  /** Whether it is the next thing to do on the page. */
  readonly isNext: boolean;
}

/** A group in a line: what is wrong, the call to make, and what else one can do; below it the alarms if it is open. */
export const GroupRow = ({
  group,
  asOf,
  isNext,
  isOpen,
  children,
}: Of & { readonly isOpen: boolean; readonly children?: ReactNode }) => {
  const isSeen = group.open === 0;
  const { call_first: first } = group;
  return (
    <li data-group={group.id}>
      <div className="grid grid-cols-[22px_minmax(0,1fr)] items-center gap-x-3 gap-y-2 px-3 py-2 md:px-4 xl:grid-cols-[22px_minmax(0,1fr)_11.5rem_auto]">
        <PriorityMark priority={group.priority} isSeen={isSeen} />
        <What group={group} isSeen={isSeen} isOpen={isOpen} />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 max-xl:col-start-2 xl:contents">
          <div className="min-w-0">{first !== null && <FirstAccount first={first} />}</div>
          <div className="flex flex-wrap items-center gap-1.5 xl:justify-end [&_a]:px-2.5 [&_button]:px-2.5">
            {first !== null && <CallButton group={group} first={first} isNext={isNext} />}
            <GroupActions group={group} asOf={asOf} />
          </div>
        </div>
      </div>
      {children}
    </li>
  );
};

const What = ({
  group,
  isSeen,
  isOpen,
}: Pick<Of, "group"> & { readonly isSeen: boolean; readonly isOpen: boolean }) => {
  const [now, timeZone] = [useNow(), usePageZone()];
  const attendant = groupAttendant(group, timeZone);
  return (
    <div className="min-w-0">
      <Link
        to="/operations/alarms"
        search={isOpen ? {} : { group: group.id }}
        data-heading
        title={groupHeading(group)}
        aria-expanded={isOpen}
        onKeyDown={stepGroups}
        className={`rounded [overflow-wrap:anywhere] hover:underline xl:block xl:truncate ${isSeen ? "" : "font-semibold"}`}
      >
        {groupHeading(group)}
      </Link>
      <div className="text-[13px] text-muted [overflow-wrap:anywhere]">
        {groupDetails(group, now, timeZone)}
        {attendant !== null && <span className="text-ink"> {attendant}</span>}
      </div>
    </div>
  );
};

/** ↑ and ↓ go from group to group. */
const stepGroups = (event: KeyboardEvent<HTMLElement>): void =>
  stepFocus(event, document.querySelectorAll<HTMLElement>("[data-group] [data-heading]"));

const GroupActions = ({ group, asOf }: Pick<Of, "group" | "asOf">) => {
  const writes = mayWrite(useUser());
  const navigate = useNavigate();
  const [now, timeZone] = [useNow(), usePageZone()];
  const { acknowledge, shelve } = useGroupActs(group.id, asOf);
  const { id, open, alarms } = group;
  const title = groupTitle(group);
  const show = {
    label: say("{n, plural, one {Show the alarm} other {Show the # alarms}}", { n: alarms }),
    run: () => void navigate({ to: "/operations/alarms", search: { group: id } }),
  };
  const shelves = shelfEnds(group, now, timeZone).map(({ until, label }) => ({ label, run: () => shelve.run(until) }));
  return (
    <>
      {writes && open > 0 && (
        <Button
          data-acknowledge
          onClick={() => acknowledge.run(undefined)}
          busy={acknowledge.isPending && say("One moment…")}
          aria-label={say("Acknowledge {n}: {title}", { n: count(open), title })}
        >
          {open > 1 ? say("Acknowledge {n}", { n: count(open) }) : say("Acknowledge")}
        </Button>
      )}
      {writes && <AssignButton group={group} />}
      <ActionMenu
        name={say("More: {title}", { title })}
        parts={[{ actions: [show] }, ...(writes ? [{ title: say("Shelve until"), actions: shelves }] : [])]}
      />
    </>
  );
};
