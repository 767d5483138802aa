import { say } from "@curtail/words/page";
import { useNavigate } from "@tanstack/react-router";
import { callOperator } from "../../../api/call.js";
import { useUser } from "../../../api/session.js";
import { useOperatorList } from "../../../api/use-call.js";
import { useChange } from "../../../api/use-change.js";
import type { EnvironmentName } from "../../../parts/environment.js";
import { type OwnProgram, payloadName, unitName } from "../../../rules/openadr3-event-draft.js";
import { audienceWords } from "../../../rules/openadr3-program-draft.js";
import { mayWrite } from "../../../rules/role.js";
import { ButtonLink } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { ConfirmButton, DialogButton } from "../../../ui/dialog-button.js";
import { Filters } from "../../../ui/filters.js";
import { type Column, ListTable } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";
import { EnvironmentFilter } from "./environment-filter.js";
import { ChangeOwnProgram, NewOwnProgram } from "./program-form.js";

const columns: readonly Column<OwnProgram>[] = [
  {
    head: say("Name"),
    cell: ({ id, name, environment }) => (
      <TextLink to="/operations/openadr3" search={{ tab: "events", environment, program: id }}>
        {name}
      </TextLink>
    ),
  },
  {
    head: say("Values"),
    cell: ({ payloads }) => (
      <ul>
        {payloads.map((payload) => (
          <li key={payload.payload_type}>
            {payloadName(payload.payload_type)} <span className="text-muted">{unitName(payload)}</span>
          </li>
        ))}
      </ul>
    ),
    wide: true,
  },
  {
    head: say("Seen by"),
    cell: ({ public: isPublic, targets }) =>
      audienceWords(targets, isPublic ? say("everybody") : say("those of its events", {}, "VENs")),
    wide: true,
  },
  { head: say("Events"), cell: ({ event_count }) => event_count, number: true },
];

/** Programs of the operator's own. */
export const OwnPrograms = ({ environment }: { readonly environment: EnvironmentName }) => {
  const writes = mayWrite(useUser());
  return (
    <Card
      flush
      title={say("Programs of your own")}
      actions={
        writes && (
          <DialogButton look="primary" label={say("New program")} title={say("New OpenADR 3 program")}>
            {(close) => <NewOwnProgram environment={environment} onDone={close} />}
          </DialogButton>
        )
      }
    >
      <Filters>
        <EnvironmentFilter environment={environment} />
      </Filters>
      <ListTable
        label={say("Programs of your own")}
        list={useOperatorList("/openadr3-programs", { query: { environment } })}
        keyOf={({ id }) => id}
        empty={say("No programs of your own yet. Create one for prices, limits or alerts, then add its events.")}
        columns={
          writes
            ? [...columns, { head: say("Action"), cell: (program) => <ProgramActions program={program} /> }]
            : columns
        }
      />
    </Card>
  );
};

const ProgramActions = ({ program }: { readonly program: OwnProgram }) => {
  const { id, name, environment, event_count } = program;
  const navigate = useNavigate();
  const remove = useChange(() => callOperator("DELETE", "/openadr3-programs/{id}", { params: { id } }), {
    done: say("{name} was deleted.", { name }, "program"),
    after: () => void navigate({ to: "/operations/openadr3", search: { tab: "programs", environment } }),
  });
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink to="/operations/openadr3/events/new" search={{ environment, program: id }}>
        {say("Add event")}
      </ButtonLink>
      <DialogButton label={say("Change")} name={say("Change {name}", { name })} title={say("Change {name}", { name })}>
        {(close) => <ChangeOwnProgram program={program} onDone={close} />}
      </DialogButton>
      <ConfirmButton
        label={say("Delete")}
        look="danger"
        title={say("Delete {name}?", { name })}
        run={() => remove.run(undefined)}
        busy={remove.isPending}
      >
        {event_count > 0
          ? say(
              "Its events are deleted, too, of which {n, plural, one {# is} other {# are}} not over, with the reports and subscriptions to them. This cannot be undone.",
              { n: event_count },
            )
          : say("Its events are deleted, too, with the reports and subscriptions to them. This cannot be undone.")}
      </ConfirmButton>
    </div>
  );
};
