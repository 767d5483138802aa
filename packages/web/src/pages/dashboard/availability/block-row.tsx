import type { participantConsole, ReplyOf } from "@curtail/contract";
import { callConsole } from "../../../api/call.js";
import { useChange } from "../../../api/use-change.js";
import { duration, period } from "../../../format/time.js";
import { lastsAt } from "../../../rules/availability.js";
import { Badge } from "../../../ui/badge.js";
import { ConfirmButton } from "../../../ui/dialog-button.js";

type Block = ReplyOf<typeof participantConsole.listOwnSchedule>["items"][number];

/** One block: first day, period and duration. */
export const BlockRow = ({
  block,
  timeZone,
  now,
  writes,
}: {
  readonly block: Block;
  readonly timeZone: string;
  readonly now: Date;
  readonly writes: boolean;
}) => {
  const { id, start_time, end_time } = block;
  const start = new Date(start_time);
  const lasts = lastsAt(block, now);
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { ...options, timeZone }).format(start);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
      <div aria-hidden="true" className="w-12 shrink-0 overflow-hidden rounded-lg text-center ring-1 ring-line">
        <div className="bg-accent-soft text-xs text-accent">{part({ weekday: "short" })}</div>
        <div className="text-lg font-semibold">{part({ day: "numeric" })}</div>
      </div>
      <div className="min-w-0 flex-1">
        <div className="font-medium">
          {period(start, end_time, timeZone)} {lasts && <Badge tone="warn">active now</Badge>}
        </div>
        <div className="text-sm text-muted">{duration(Date.parse(end_time) - start.getTime())}</div>
      </div>
      {writes && <Remove id={id} lasts={lasts} />}
    </li>
  );
};

const Remove = ({ id, lasts }: { readonly id: string; readonly lasts: boolean }) => {
  const remove = useChange(() => callConsole("DELETE", "/schedule/{id}", { params: { id } }), {
    done: "Block deleted.",
  });
  return (
    <ConfirmButton
      label="Delete"
      title="Delete this block?"
      action="Delete block"
      run={() => remove.run(undefined)}
      busy={remove.isPending}
    >
      The site can be dispatched {lasts ? "again from now on" : "in that period again"}. Existing dispatches do not
      change.
    </ConfirmButton>
  );
};
