import { MAX_VERIFICATION_SECONDS, MIN_VERIFICATION_SECONDS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useQuery } from "@tanstack/react-query";
import { callOperator, OPERATOR } from "../../../api/call.js";
import { useOperatorList } from "../../../api/use-call.js";
import { useFormChange } from "../../../api/use-change.js";
import { fromLocalInput } from "../../../format/local-time.js";
import { serviceSentence } from "../../../rules/service-sentences.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Field, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { Fault, Waiting } from "../../../ui/state.js";
import { useDraft } from "../../../ui/use-draft.js";
import type { Site } from "./site-columns.js";

interface Wanted {
  readonly program_id: string;
  readonly start: string;
  readonly minutes: string;
}

interface Props {
  readonly site: Site;
  readonly onDone: () => void;
}

/** Starts a test dispatch of this site alone, in one of its programs. */
export const Verify = ({ site, onDone }: Props) => {
  const { items, isPending, error } = useOperatorList("/sites/{id}/enrolments", { params: { id: site.id } });
  if (isPending) return <Waiting />;
  if (error !== null) return <Fault error={error} />;
  if (items.length > 0) return <VerifyForm site={site} onDone={onDone} programs={items} />;
  return (
    <p>
      {say(
        "The site is not enrolled in a program yet. Enrol it first: the test is measured by the rules of a program and against the commitment.",
      )}
    </p>
  );
};

const VerifyForm = ({
  site: { id, timezone },
  onDone,
  programs,
}: Props & { readonly programs: readonly { readonly program_id: string; readonly program_name: string }[] }) => {
  const draft = useDraft<Wanted>({ program_id: programs[0]?.program_id ?? "", start: "", minutes: "15" });
  const start = draft.values.start === "" ? null : fromLocalInput(draft.values.start, timezone);
  const isNoTime = draft.values.start !== "" && start === null;
  const verify = useFormChange(
    ({ program_id, minutes }: Wanted) =>
      callOperator("POST", "/sites/{id}/verification", {
        params: { id },
        body: {
          program_id,
          duration_seconds: Math.round(Number(minutes) * 60),
          ...(start === null ? {} : { start_time: start.toISOString() }),
        },
      }),
    { done: say("Verification dispatch issued. The participant is notified as usual."), after: onDone },
  );
  return (
    <Form onSend={() => verify.run(draft.values)} error={verify.error}>
      <p>{say("Issues a test dispatch for this site only. Systems that are notified should curtail.")}</p>
      <Warnings siteId={id} programId={draft.values.program_id} />
      <Select
        label={say("Program")}
        choices={programs.map(({ program_id, program_name }) => ({ value: program_id, label: program_name }))}
        {...draft.text("program_id")}
      />
      <Field
        label={say("Start ({zone}, optional)", { zone: timezone }, "time")}
        hint={say("If empty, it starts in one minute.")}
        fault={
          isNoTime
            ? say("This time does not exist in the site's time zone, because the clocks go forward. Choose another.")
            : null
        }
        type="datetime-local"
        {...draft.text("start")}
        name="start_time"
      />
      <Field
        label={say("Length (minutes)")}
        type="number"
        min={MIN_VERIFICATION_SECONDS / 60}
        max={MAX_VERIFICATION_SECONDS / 60}
        {...draft.text("minutes")}
        name="duration_seconds"
      />
      <Actions>
        <Button type="submit" look="primary" disabled={isNoTime} busy={verify.isPending && say("Starting…")}>
          {say("Start the dispatch")}
        </Button>
      </Actions>
    </Form>
  );
};

const LEAD_MS = 60_000;

/** Why nobody may be notified of the test, as the preview of a dispatch says it. */
const Warnings = ({ siteId, programId }: { readonly siteId: string; readonly programId: string }) => {
  const { data } = useQuery({
    queryKey: [OPERATOR, "/dispatches/preview", siteId, programId],
    queryFn: () =>
      callOperator("POST", "/dispatches/preview", {
        body: {
          program_id: programId,
          start_time: new Date(Date.now() + LEAD_MS).toISOString(),
          test: true,
          sites: [{ site_id: siteId }],
        },
      }),
  });
  const accounts = data?.accounts ?? [];
  const isUnreachable = accounts.some(({ channels, mail_contacts }) => channels.length === 0 && mail_contacts === 0);
  const warnings = accounts.flatMap((account) => account.warnings);
  if (warnings.length === 0 && !isUnreachable) return null;
  return (
    <ul className="grid gap-1 rounded-lg bg-warn-soft px-3 py-2 text-warn">
      {isUnreachable && <li>{say("Nobody would be notified: the account has no channel and no contact.")}</li>}
      {warnings.map((warning) => (
        <li key={warning}>{serviceSentence(warning)}</li>
      ))}
    </ul>
  );
};
