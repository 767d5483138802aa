import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useUser } from "../../api/session.js";
import { bodyOf, type DispatchDraft, emptyDraft, OPEN, type Times, timesOf } from "../../rules/dispatch-draft.js";
import { mayWrite } from "../../rules/role.js";
import { ButtonLink } from "../../ui/button.js";
import { PageHead } from "../../ui/card.js";
import { PageTimes } from "../../ui/page-zone.js";
import { Empty, Fault, Waiting } from "../../ui/state.js";
import { Confirmation } from "./new-dispatch/confirmation.js";
import { DispatchForm } from "./new-dispatch/dispatch-form.js";
import { useCallableSites } from "./new-dispatch/use-callable-sites.js";
import { usePrograms } from "./use-programs.js";

const route = getRouteApi("/operations/dispatches/new");

/** Issues a dispatch: form, preview, confirmation. */
export const NewDispatchPage = () => {
  const { items, isWhole, error } = usePrograms();
  const writes = mayWrite(useUser());
  return (
    <>
      <PageHead title={say("New dispatch")} />
      {error !== null && <Fault error={error} />}
      {!writes ? (
        <Empty>{say("Your role is read-only: you cannot issue dispatches.")}</Empty>
      ) : !isWhole ? (
        <Waiting />
      ) : (
        <WithPrograms programs={items} />
      )}
    </>
  );
};

const WithPrograms = ({ programs }: { readonly programs: readonly operator.Program[] }) => {
  const { program, minutes } = route.useSearch();
  const [first] = programs;
  if (first === undefined)
    return (
      <Empty>
        <p className="mb-3">{say("No programs yet. Only sites that are enrolled in a program can be dispatched.")}</p>
        <ButtonLink to="/operations">{say("Back to the board")}</ButtonLink>
      </Empty>
    );
  const begun = programs.find(({ id }) => id === program) ?? first;
  return (
    <Making
      key={`${begun.id} ${minutes ?? ""}`}
      programs={programs}
      begun={draftOf(begun.id, minutes)}
      isQuick={minutes !== undefined}
    />
  );
};

const draftOf = (programId: string, minutes: string | undefined): DispatchDraft => ({
  ...emptyDraft(programId),
  ...(minutes === undefined ? {} : { end: Number(minutes) > 0 ? minutes : OPEN }),
});

/** Form, then confirmation; going back keeps the form. */
const Making = ({
  programs,
  begun,
  isQuick,
}: {
  readonly programs: readonly operator.Program[];
  readonly begun: DispatchDraft;
  readonly isQuick: boolean;
}) => {
  const [draft, setDraft] = useState(begun);
  // The moment of the preview; null while the form is open.
  const [asOf, setAsOf] = useState<Date | null>(() => (isQuick ? new Date() : null));
  const program = programs.find(({ id }) => id === draft.programId);
  const { sites, isWhole, error } = useCallableSites(draft.programId);
  if (program === undefined) return <Waiting />;
  if (error !== null) return <Fault error={error} />;
  const timesAt = (now: Date): Times => timesOf(draft, program.timezone, now);
  const body = asOf === null ? null : bodyOf(draft, sites, timesAt(asOf));
  if (asOf !== null && !isWhole) return <Waiting />;
  if (body !== null)
    return (
      <PageTimes isFixed timeZones={[program.timezone]} whose={program.name}>
        <Confirmation
          program={program}
          body={body}
          startsNow={draft.start === "now"}
          bodyAt={(now) => bodyOf(draft, sites, timesAt(now)) ?? body}
          siteNames={new Map(sites.map(({ id, name }) => [id, name]))}
          onBack={() => setAsOf(null)}
        />
      </PageTimes>
    );
  return (
    <PageTimes isFixed timeZones={[program.timezone]} whose={program.name}>
      <DispatchForm
        {...{ programs, program, draft, sites, isWhole }}
        onChange={setDraft}
        onDone={() => setAsOf(new Date())}
      />
    </PageTimes>
  );
};
