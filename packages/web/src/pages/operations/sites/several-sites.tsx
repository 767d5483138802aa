import { MAX_ENROLLED_AT_ONCE } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { asksOnceMore } from "../../../parts/cut-off-button.js";
import { methodFault } from "../../../rules/baseline.js";
import { type EnrolmentDraft, enrolmentBody, newEnrolmentDraft } from "../../../rules/enrolment-draft.js";
import { joined, type Outcome, parts } from "../../../rules/several-sites.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { Empty, Fault, Waiting } from "../../../ui/state.js";
import { useDraft } from "../../../ui/use-draft.js";
import { EnrolmentFields } from "../program/enrolment-fields.js";
import { usePrograms } from "../use-programs.js";
import { SeveralOutcome } from "./several-outcome.js";

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Props {
  readonly sites: readonly Named[];
  readonly onDone: () => void;
}

/** Enrols the selected sites in a program, or withdraws them from it. */
export const SeveralSites = ({ sites, verb, onDone }: Props & { readonly verb: "enrol" | "withdraw" }) => {
  const { items, isWhole, error } = usePrograms();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  if (error !== null) return <Fault error={error} />;
  if (!isWhole) return <Waiting />;
  if (items.length === 0) return <Empty>{say("No programs yet. Create one first.")}</Empty>;
  if (outcome !== null) return <SeveralOutcome of={outcome} sites={sites} verb={verb} onDone={onDone} />;
  const ProgramForm = verb === "enrol" ? EnrolForm : WithdrawForm;
  return <ProgramForm sites={sites} programs={items} onOutcome={setOutcome} />;
};

interface FormProps {
  readonly sites: readonly Named[];
  readonly programs: readonly Named[];
  readonly onOutcome: (outcome: Outcome) => void;
}

const choicesOf = (programs: readonly Named[]) => programs.map(({ id, name }) => ({ value: id, label: name }));

const idsOf = (sites: readonly Named[]) =>
  parts(
    sites.map(({ id }) => id),
    MAX_ENROLLED_AT_ONCE,
  );

const enrolAll = async (sites: readonly Named[], draft: EnrolmentDraft): Promise<Outcome> => {
  const outcomes: Outcome[] = [];
  for (const site_ids of idsOf(sites)) {
    const body = { site_ids: [...site_ids], ...enrolmentBody(draft) };
    const { enrolled, skipped } = await callOperator("POST", "/programs/{id}/enrolments", {
      params: { id: draft.program },
      body,
    });
    outcomes.push({ done: enrolled, skipped });
  }
  return joined(outcomes);
};

const withdrawAll = async (sites: readonly Named[], id: string, confirm_running: boolean): Promise<Outcome> => {
  const outcomes: Outcome[] = [];
  for (const site_ids of idsOf(sites)) {
    const { withdrawn, skipped } = await callOperator("POST", "/programs/{id}/withdrawals", {
      params: { id },
      body: { site_ids: [...site_ids], confirm_running },
    });
    outcomes.push({ done: withdrawn, skipped });
  }
  return joined(outcomes);
};

const EnrolForm = ({ sites, programs, onOutcome }: FormProps) => {
  const draft = useDraft(newEnrolmentDraft(programs[0]?.id ?? "", ""));
  const enrol = useFormChange((wanted: EnrolmentDraft) => enrolAll(sites, wanted), { after: onOutcome });
  return (
    <Form onSend={() => enrol.run(draft.values)} error={enrol.error}>
      <Select label={say("Program")} choices={choicesOf(programs)} {...draft.text("program")} />
      <EnrolmentFields draft={draft} of="each site" />
      <Actions>
        <Button
          type="submit"
          look="primary"
          disabled={methodFault(draft.values) !== null}
          busy={enrol.isPending && say("Enrolling…")}
        >
          {say("Enrol {n, plural, one {# site} other {# sites}}", { n: sites.length })}
        </Button>
      </Actions>
    </Form>
  );
};

const WithdrawForm = ({ sites, programs, onOutcome }: FormProps) => {
  const draft = useDraft({ program: programs[0]?.id ?? "" });
  const [isAskedOnceMore, setAskedOnceMore] = useState(false);
  const withdraw = useFormChange(
    (id: string) =>
      withdrawAll(sites, id, isAskedOnceMore).catch((fault: Error) => {
        setAskedOnceMore(asksOnceMore(fault));
        throw fault;
      }),
    { after: onOutcome },
  );
  return (
    <Form onSend={() => withdraw.run(draft.values.program)} error={isAskedOnceMore ? null : withdraw.error}>
      <Select label={say("Program")} choices={choicesOf(programs)} {...draft.text("program")} />
      <p>{say("New dispatches of the program will not include these sites. Existing dispatches do not change.")}</p>
      {isAskedOnceMore && (
        <p>{say("A dispatch of the program is in progress. Until it ends, operators see an alarm.")}</p>
      )}
      <Actions>
        <Button type="submit" look="danger" busy={withdraw.isPending && say("Withdrawing…")}>
          {isAskedOnceMore
            ? say("Withdraw {n, plural, one {# site} other {# sites}} anyway", { n: sites.length })
            : say("Withdraw {n, plural, one {# site} other {# sites}}", { n: sites.length })}
        </Button>
      </Actions>
    </Form>
  );
};
