import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useUser } from "../../../api/session.js";
import { useOperatorList } from "../../../api/use-call.js";
import type { EnvironmentName } from "../../../parts/environment.js";
import { payloadName, unitName } from "../../../rules/openadr3-event-draft.js";
import { audienceWords } from "../../../rules/openadr3-program-draft.js";
import { mayWrite } from "../../../rules/role.js";
import { ButtonLink } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Select } from "../../../ui/field.js";
import { Filters } from "../../../ui/filters.js";
import { DayAndClock } from "../../../ui/page-zone.js";
import { ListTable } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";
import { EnvironmentFilter } from "./environment-filter.js";
import { EventState } from "./event-state.js";

const route = getRouteApi("/operations/openadr3");

/** Events of the operator's own, newest first. */
export const OwnEvents = ({ environment }: { readonly environment: EnvironmentName }) => {
  const writes = mayWrite(useUser());
  const { program = "", state = "current" } = route.useSearch();
  const isOver = state === "past";
  const filter = { environment, over: isOver, ...(program === "" ? {} : { program_id: program }) };
  return (
    <Card
      flush
      title={say("Events of your own")}
      actions={
        writes && (
          <ButtonLink
            look="primary"
            to="/operations/openadr3/events/new"
            search={{ environment, ...(program === "" ? {} : { program }) }}
          >
            {say("New event")}
          </ButtonLink>
        )
      }
    >
      <EventFilters environment={environment} program={program} state={state} />
      <ListTable
        label={say("Events of your own")}
        list={useOperatorList("/openadr3-events", { query: filter }, { everyMs: 30_000 })}
        keyOf={({ id }) => id}
        empty={
          isOver
            ? say("No past events.")
            : say("No current or upcoming events. Create a program first, then its events.")
        }
        columns={[
          {
            head: say("Event"),
            cell: ({ id, name, payloads }) => (
              <>
                <TextLink to="/operations/openadr3/events/$id" params={{ id }}>
                  {name ?? payloads.map(({ payload_type }) => payloadName(payload_type)).join(", ") ?? id}
                </TextLink>
                <div className="text-muted">
                  {name !== null && payloads.map(({ payload_type }) => payloadName(payload_type)).join(", ")}{" "}
                  {payloads.map(unitName).join(", ")}
                </div>
              </>
            ),
          },
          { head: say("Program"), cell: ({ program_name }) => program_name, wide: true },
          {
            head: say("Start", {}, "time"),
            cell: ({ start_time }) => (start_time === null ? "–" : <DayAndClock at={start_time} />),
          },
          {
            head: say("End", {}, "time"),
            cell: ({ end_time }) =>
              end_time === null ? say("until it is ended", {}, "event") : <DayAndClock at={end_time} />,
            wide: true,
          },
          {
            head: say("Seen by"),
            cell: ({ targets }) => audienceWords(targets, say("all of the program", {}, "VENs")),
            wide: "desk",
          },
          { head: say("State"), cell: ({ state }) => <EventState state={state} /> },
        ]}
      />
    </Card>
  );
};

const EventFilters = ({
  environment,
  program,
  state,
}: {
  readonly environment: EnvironmentName;
  readonly program: string;
  readonly state: string;
}) => {
  const navigate = route.useNavigate();
  const programs = useOperatorList("/openadr3-programs", { query: { environment } });
  const set = (changes: { readonly program?: string; readonly state?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  return (
    <Filters>
      <EnvironmentFilter environment={environment} />
      <Select
        label={say("Events")}
        value={state}
        onChange={({ target }) => set({ state: target.value })}
        choices={[
          { value: "current", label: say("Current and upcoming", {}, "events") },
          { value: "past", label: say("Past", {}, "events") },
        ]}
      />
      <Select
        label={say("Program")}
        value={program}
        onChange={({ target }) => set({ program: target.value })}
        choices={[
          { value: "", label: say("All programs") },
          ...programs.items.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </Filters>
  );
};
