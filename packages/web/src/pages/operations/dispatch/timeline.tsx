import { say } from "@curtail/words/page";
import { useState } from "react";
import { useOperator } from "../../../api/use-call.js";
import { count } from "../../../format/quantity.js";
import { exact } from "../../../format/time.js";
import { type Moment, timelineOf } from "../../../rules/timeline.js";
import type { Tone } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Answered } from "../../../ui/state.js";
import { useNow } from "../../../ui/use-now.js";
import type { Dispatch } from "./dispatch.js";
import { momentTime, momentTone, momentWords } from "./timeline-words.js";

/** As many as are shown at first: the newest. */
const SHOWN = 4;
const EVERY_MS = 15_000;

/** Everything that happened in the dispatch; the newest first. */
export const Timeline = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const { id, program } = dispatch;
  const now = useNow();
  const timeline = useOperator("/dispatches/{id}/timeline", { params: { id } }, { everyMs: EVERY_MS });
  // The page draws the same curve.
  const curve = useOperator("/dispatches/{id}/performance/curve", { params: { id }, query: {} });
  return (
    <Answered of={timeline}>
      {({ items }) => (
        <Moments
          moments={timelineOf(items, dispatch, curve.data?.curve ?? [], now).toReversed()}
          zone={program.timezone}
          now={now}
        />
      )}
    </Answered>
  );
};

const Moments = ({
  moments,
  zone,
  now,
}: {
  readonly moments: readonly Moment[];
  readonly zone: string;
  readonly now: Date;
}) => {
  const [open, setOpen] = useState(false);
  const shown = open ? moments : moments.slice(0, SHOWN);
  return (
    <Card
      title={say("Timeline")}
      actions={
        moments.length > SHOWN && (
          <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? say("Show the newest") : say("Show all {n}", { n: count(moments.length) })}
          </Button>
        )
      }
    >
      <ol aria-label={say("Timeline, newest first")} className="ml-1 border-l border-line-strong text-sm">
        {shown.map((moment) => (
          <li key={keyOf(moment)} className="relative grid gap-x-3 py-1 pl-4 sm:grid-cols-[8.5rem_1fr]">
            <span
              aria-hidden="true"
              className={`absolute top-2.5 -left-1 size-2 rounded-full ${dots[momentTone(moment)]}`}
            />
            <time dateTime={moment.at} title={exact(moment.at, zone)} className="text-muted">
              {momentTime(moment.at, zone, now)}
            </time>
            <span className="min-w-0 [overflow-wrap:anywhere]">{momentWords(moment, zone)}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
};

const keyOf = (moment: Moment): string =>
  moment.kind === "entry"
    ? [moment.at, moment.entry.what, moment.entry.modification_number, moment.entry.channel, moment.entry.detail].join(
        " ",
      )
    : `${moment.at} ${moment.kind}`;

const dots: Readonly<Record<Tone, string>> = {
  good: "bg-good",
  warn: "bg-warn",
  bad: "bg-bad",
  info: "bg-info",
  neutral: "bg-muted",
  accent: "bg-accent",
};
