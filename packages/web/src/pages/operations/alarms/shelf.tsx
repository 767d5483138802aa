import { say } from "@curtail/words/page";
import { clock } from "../../../format/time.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import type { Alarm } from "./alarm.js";
import { alarmTitle } from "./alarm-title.js";
import { useUnshelve } from "./use-group-acts.js";

/** Until when an alarm is shelved, and a button that returns it with the others of its group. */
export const Shelf = ({ alarm, timeZone, writes }: ShelfProps) => {
  const { run, isPending } = useUnshelve(alarm.group_id);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Badge tone="neutral">{say("shelved until {time}", { time: clock(alarm.shelved_until ?? "", timeZone) })}</Badge>
      {writes && (
        <Button
          onClick={() => run(undefined)}
          busy={isPending && say("One moment…")}
          aria-label={say("Return now: {title}", { title: alarmTitle(alarm.kind) })}
          title={say("Returns all shelved alarms of its group.")}
        >
          {say("Return now")}
        </Button>
      )}
    </div>
  );
};

interface ShelfProps {
  readonly alarm: Alarm;
  readonly timeZone: string;
  readonly writes: boolean;
}
