import { MAX_PAGE } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { callOperator } from "../../api/call.js";
import { useOperatorList } from "../../api/use-call.js";
import { useFormChange } from "../../api/use-change.js";
import { OWN_ZONE } from "../../format/time.js";
import { Environment, type EnvironmentName } from "../../parts/environment.js";
import {
  isFault,
  newEventDraft,
  newEventOf,
  type OwnEventDraft,
  type OwnProgram,
} from "../../rules/openadr3-event-draft.js";
import { ButtonLink } from "../../ui/button.js";
import { Card, PageHead } from "../../ui/card.js";
import { Empty, Fault, Waiting } from "../../ui/state.js";
import { TextLink } from "../../ui/text-link.js";
import { useNow } from "../../ui/use-now.js";
import { EventForm } from "./openadr3/event-form.js";
import { FormRefusal } from "./openadr3/form-refusal.js";

const route = getRouteApi("/operations/openadr3/events/new");

/** A new event of the operator's own. */
export const NewOpenadr3EventPage = () => {
  const { environment } = route.useSearch();
  const chosen: EnvironmentName = environment === "sandbox" ? "sandbox" : "production";
  const programs = useOperatorList("/openadr3-programs", { query: { environment: chosen, limit: MAX_PAGE } });
  return (
    <>
      <PageHead
        title={say("New OpenADR 3 event")}
        lead={<TextLink to="/operations/openadr3">OpenADR 3</TextLink>}
        actions={chosen === "sandbox" && <Environment of="sandbox" />}
      />
      {programs.error !== null && <Fault error={programs.error} />}
      {programs.isPending ? <Waiting /> : <NewEvent programs={programs.items} environment={chosen} />}
    </>
  );
};

const NewEvent = ({
  programs,
  environment,
}: {
  readonly programs: readonly OwnProgram[];
  readonly environment: EnvironmentName;
}) => {
  const { program } = route.useSearch();
  const navigate = route.useNavigate();
  const now = useNow();
  const create = useFormChange(
    async (draft: OwnEventDraft) => {
      const body = newEventOf(draft, OWN_ZONE);
      if (isFault(body)) throw new FormRefusal(body.fault);
      return callOperator("POST", "/openadr3-events", { body });
    },
    {
      done: say("Event created. VENs that see it are notified."),
      after: ({ id }) => void navigate({ to: "/operations/openadr3/events/$id", params: { id } }),
    },
  );
  if (programs.length === 0)
    return (
      <Card>
        <Empty>{say("Events belong to a program, and there is none of your own yet.")}</Empty>
        <div className="text-center">
          <ButtonLink look="primary" to="/operations/openadr3" search={{ tab: "programs", environment }}>
            {say("Create a program")}
          </ButtonLink>
        </div>
      </Card>
    );
  return (
    <EventForm
      initial={newEventDraft(programs.find(({ id }) => id === program) ?? programs[0], now, OWN_ZONE)}
      programs={programs}
      onSend={create.run}
      action={say("Create")}
      busy={create.isPending && say("Creating…")}
      error={create.error}
    />
  );
};
