import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useUser } from "../../api/session.js";
import { useOperator } from "../../api/use-call.js";
import { Environment } from "../../parts/environment.js";
import { Found } from "../../parts/found.js";
import { type OwnEvent, type PreviewedInterval, payloadName, unitName } from "../../rules/openadr3-event-draft.js";
import { audienceWords } from "../../rules/openadr3-program-draft.js";
import { mayWrite } from "../../rules/role.js";
import { Card, Facts, PageHead } from "../../ui/card.js";
import { DayAndClock, Exact } from "../../ui/page-zone.js";
import { TextLink } from "../../ui/text-link.js";
import { ChangeEvent, ChangeValues, DeleteEvent, EndEvent } from "./openadr3/event-actions.js";
import { EventState } from "./openadr3/event-state.js";
import { ToldTable } from "./openadr3/told-table.js";
import { ValueChart } from "./openadr3/value-chart.js";

const route = getRouteApi("/operations/openadr3/events/$id");

const wordsOf = ({ payloads }: OwnEvent): string =>
  payloads.map(({ payload_type }) => payloadName(payload_type)).join(", ");

/** One event of the operator's own. */
export const Openadr3EventPage = () => {
  const { id } = route.useParams();
  return (
    <Found
      of={useOperator("/openadr3-events/{id}", { params: { id } }, { everyMs: 30_000 })}
      what="OpenADR 3 event"
      back="/operations/openadr3"
    >
      {(event) => (
        <>
          <PageHead
            title={event.name ?? wordsOf(event)}
            tab={say("{name} · OpenADR 3 event", { name: event.name ?? wordsOf(event) })}
            lead={
              <TextLink
                to="/operations/openadr3"
                search={{ tab: "events", program: event.program_id, environment: event.environment }}
              >
                {event.program_name}
              </TextLink>
            }
            actions={<EventState state={event.state} />}
          />
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <Settings event={event} />
            <Told event={event} />
          </div>
        </>
      )}
    </Found>
  );
};

const Settings = ({ event }: { readonly event: OwnEvent }) => {
  const writes = mayWrite(useUser());
  const { state, payloads, start_time, end_time, priority, targets, environment } = event;
  return (
    <Card
      title={say("Event")}
      actions={
        writes && (
          <>
            {state !== "past" && <ChangeEvent event={event} />}
            {state !== "past" && <ChangeValues event={event} />}
            {state === "active" && <EndEvent event={event} />}
            <DeleteEvent event={event} />
          </>
        )
      }
    >
      <Facts
        facts={[
          [say("Values"), wordsOf(event)],
          [say("Unit"), payloads.map(unitName).join(", ") || "–"],
          [
            say("Start", {}, "time"),
            start_time === null ? say("unknown", {}, "time") : <DayAndClock at={start_time} />,
          ],
          [
            say("End", {}, "time"),
            end_time === null ? say("until it is ended", {}, "event") : <DayAndClock at={end_time} />,
          ],
          [say("Seen by"), audienceWords(targets, say("everybody who sees the program"))],
          [say("Priority"), priority ?? say("none", {}, "priority")],
          [say("Environment"), <Environment key="environment" of={environment} />],
          [say("Changed", {}, "time"), <Exact key="changed" at={event.modified_at} />],
          [say("Id"), <code key="id">{event.id}</code>],
        ]}
      />
    </Card>
  );
};

/** Values as a chart, if each interval has one number. */
const Told = ({ event }: { readonly event: OwnEvent }) => {
  const bars = event.intervals.flatMap(({ start_time, end_time, payloads }): PreviewedInterval[] => {
    const value = payloads[0]?.values[0];
    return start_time === null || typeof value !== "number" || payloads.length !== 1
      ? []
      : [{ start: new Date(start_time), end: end_time === null ? null : new Date(end_time), value }];
  });
  const [payload] = event.payloads;
  return (
    <Card flush title={say("Values")}>
      {bars.length > 0 && bars.length === event.intervals.length ? (
        <ValueChart intervals={bars} unit={payload === undefined ? "" : unitName(payload)} />
      ) : (
        <ToldTable event={event} />
      )}
    </Card>
  );
};
