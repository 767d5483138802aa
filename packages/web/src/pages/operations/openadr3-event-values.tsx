import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { callOperator } from "../../api/call.js";
import { useOperator } from "../../api/use-call.js";
import { useFormChange } from "../../api/use-change.js";
import { OWN_ZONE } from "../../format/time.js";
import { Found } from "../../parts/found.js";
import { draftFrom, isFault, newEventOf, type OwnEvent, type OwnEventDraft } from "../../rules/openadr3-event-draft.js";
import { PageHead } from "../../ui/card.js";
import { TextLink } from "../../ui/text-link.js";
import { EventForm } from "./openadr3/event-form.js";
import { FormRefusal } from "./openadr3/form-refusal.js";

const route = getRouteApi("/operations/openadr3/events/$id/values");

/** Changes the time and values of an event. */
export const Openadr3EventValuesPage = () => {
  const { id } = route.useParams();
  return (
    <Found
      of={useOperator("/openadr3-events/{id}", { params: { id } })}
      what="OpenADR 3 event"
      back="/operations/openadr3"
    >
      {(event) => (
        <>
          <PageHead
            title={say("Change an OpenADR 3 event")}
            lead={
              <TextLink to="/operations/openadr3/events/$id" params={{ id }}>
                {event.name ?? event.program_name}
              </TextLink>
            }
          />
          <Change event={event} />
        </>
      )}
    </Found>
  );
};

const Change = ({ event }: { readonly event: OwnEvent }) => {
  const { id } = event;
  const [initial] = useState(() => draftFrom(event, OWN_ZONE, new Date()));
  const navigate = route.useNavigate();
  const change = useFormChange(
    async (draft: OwnEventDraft) => {
      const wanted = newEventOf(draft, OWN_ZONE);
      if (isFault(wanted)) throw new FormRefusal(wanted.fault);
      const { program_id: _program, name = null, priority = null, start_time, ...rest } = wanted;
      // The form has no seconds: a start that was not changed stays as it is.
      const isMoved = start_time !== undefined && draft.start !== initial.start;
      const body = { ...rest, name, priority, ...(isMoved ? { start_time } : {}) };
      return callOperator("PATCH", "/openadr3-events/{id}", { params: { id }, body });
    },
    {
      done: say("Saved. VENs that see it are notified."),
      after: () => void navigate({ to: "/operations/openadr3/events/$id", params: { id } }),
    },
  );
  return (
    <EventForm
      initial={initial}
      programs={[]}
      onSend={change.run}
      action={say("Save")}
      busy={change.isPending && say("Saving…")}
      error={change.error}
    />
  );
};
