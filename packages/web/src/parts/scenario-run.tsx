import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { type ReactNode, useState } from "react";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Card } from "../ui/card.js";
import { DayAndClock } from "../ui/page-zone.js";
import { sayParts } from "../ui/say-parts.js";
import { scenarioWords } from "./scenario-words.js";

type Run = operator.ScenarioRun;

const actWords: Readonly<Record<Run["acts"][number]["what"], string>> = {
  polled: say("listed dispatches"),
  fetched: say("retrieved a dispatch"),
  telemetry: say("sent readings"),
  controllable_load: say("sent controllable load"),
  ven_polled: say("its VEN received a dispatch"),
  ven_acknowledged: say("its VEN acknowledged a dispatch"),
  openadr3_polled: say("its OpenADR 3.1 VEN received a dispatch"),
  openadr3_acknowledged: say("its OpenADR 3.1 VEN acknowledged a dispatch"),
};

interface RunScope {
  readonly run: Run;
  /** Whose acts they are: "The participant", or "Your account". */
  readonly who: string;
  /** Loaded when it is shown, as the deliveries to webhooks are. */
  readonly report: ReactNode;
  readonly deliveries: ReactNode;
  readonly opened?: boolean;
}

/** A scenario in the sandbox: what was done meanwhile, its report, and what webhooks were sent. */
export const ScenarioRun = ({ run, who, report, deliveries, opened = false }: RunScope) => {
  const { scenario_type, name, state, speed, created_at, acts } = run;
  return (
    <Card
      title={name ?? scenarioWords[scenario_type]}
      actions={state === "running" ? <Badge tone="info">{say("Running")}</Badge> : <Badge>{say("Over")}</Badge>}
    >
      <p className="text-muted">
        {speed === 1
          ? sayParts("{scenario}; started {time}.", {
              scenario: scenarioWords[scenario_type],
              time: <DayAndClock at={created_at} />,
            })
          : sayParts("{scenario}; started {time}, at {speed} times the speed.", {
              scenario: scenarioWords[scenario_type],
              time: <DayAndClock at={created_at} />,
              speed,
            })}
      </p>
      <p className="mt-1 mb-3">
        {acts.length === 0 ? say("No requests yet.") : say("{who} {acts}.", { who, acts: doneIn(acts) })}
      </p>
      <Unfolding show={say("Show the report")} hide={say("Hide the report")} opened={opened}>
        {report}
      </Unfolding>
      <Unfolding show={say("Show the deliveries to webhooks")} hide={say("Hide the deliveries to webhooks")}>
        {deliveries}
      </Unfolding>
    </Card>
  );
};

const Unfolding = ({
  show,
  hide,
  opened = false,
  children,
}: {
  readonly show: string;
  readonly hide: string;
  readonly opened?: boolean;
  readonly children: ReactNode;
}) => {
  const [open, setOpen] = useState(opened);
  return (
    <div className="not-last:mb-3">
      <Button aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? hide : show}
      </Button>
      {open && <div className="-mx-4 mt-3 border-t border-line">{children}</div>}
    </div>
  );
};

const doneIn = (acts: Run["acts"]): string => {
  const counts = new Map<string, number>();
  for (const { what, count } of acts) counts.set(actWords[what], (counts.get(actWords[what]) ?? 0) + count);
  return [...counts]
    .map(([what, count]) => say("{what} ({n, plural, one {# time} other {# times}})", { what, n: count }))
    .join(", ");
};
