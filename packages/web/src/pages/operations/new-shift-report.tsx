import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { callOperator } from "../../api/call.js";
import { useOperator } from "../../api/use-call.js";
import { useFormChange } from "../../api/use-change.js";
import { fromLocalInput, toLocalInput } from "../../format/local-time.js";
import { noShiftTexts } from "../../rules/shift-report.js";
import { Button } from "../../ui/button.js";
import { Card, PageHead } from "../../ui/card.js";
import { Actions } from "../../ui/dialog.js";
import { Filters } from "../../ui/filters.js";
import { Form, FormFault } from "../../ui/form.js";
import { LocalTimeField } from "../../ui/local-time-field.js";
import { usePageZone } from "../../ui/page-zone.js";
import { Answered } from "../../ui/state.js";
import { useDraft } from "../../ui/use-draft.js";
import { ShiftDocument } from "./hand-over/document.js";

const route = getRouteApi("/operations/hand-over/new");

/** Draws up a shift, and keeps it with what a person writes. */
export const NewShiftReportPage = () => {
  const { from, to } = route.useSearch();
  const query = {
    ...(from === undefined ? {} : { from_time: from }),
    ...(to === undefined ? {} : { to_time: to }),
  };
  return (
    <>
      <PageHead
        title={say("New shift report")}
        lead={say("Drawn up from what is stored. Write what is not, then keep it.")}
      />
      <Card>
        <Answered of={useOperator("/shift-reports/draft", { query }, { keep: true })}>
          {(draft) => <Writing draft={draft} />}
        </Answered>
      </Card>
    </>
  );
};

const Writing = ({ draft: { previous, ...drawn } }: { readonly draft: operator.ShiftReportDraft }) => {
  const texts = useDraft({ ...noShiftTexts });
  const navigate = route.useNavigate();
  const keep = useFormChange(
    () => {
      const { from_time, to_time } = drawn;
      const body = { ...texts.values, from_time, to_time, previous_id: previous?.id ?? null };
      return callOperator("POST", "/shift-reports", { body });
    },
    {
      done: say("The shift report is kept."),
      after: ({ id }) => void navigate({ to: "/operations/hand-over/$id", params: { id }, replace: true }),
    },
  );
  return (
    <>
      <ChoosePeriod key={`${drawn.from_time} ${drawn.to_time}`} from={drawn.from_time} to={drawn.to_time} />
      <Form onSend={() => keep.run(undefined)} error={keep.error}>
        <div>
          <ShiftDocument drawn={drawn} texts={texts.values} draft={texts} />
        </div>
        <FormFault />
        <Actions>
          <Button type="submit" look="primary" busy={keep.isPending && say("Keeping…")}>
            {say("Keep the report")}
          </Button>
        </Actions>
      </Form>
    </>
  );
};

const ChoosePeriod = ({ from, to }: { readonly from: string; readonly to: string }) => {
  const zone = usePageZone();
  const navigate = route.useNavigate();
  const [times, setTimes] = useState({
    from: toLocalInput(new Date(from), zone),
    to: toLocalInput(new Date(to), zone),
  });
  const [start, end] = [fromLocalInput(times.from, zone), fromLocalInput(times.to, zone)];
  const show = () => {
    if (start !== null && end !== null)
      void navigate({ search: { from: start.toISOString(), to: end.toISOString() }, replace: true });
  };
  return (
    <Filters>
      <LocalTimeField
        label={say("From", {}, "start of a period")}
        name="from"
        value={times.from}
        onChange={(value) => setTimes({ ...times, from: value })}
        timeZone={zone}
        fault={null}
      />
      <LocalTimeField
        label={say("To", {}, "end of a period")}
        name="to"
        value={times.to}
        onChange={(value) => setTimes({ ...times, to: value })}
        timeZone={zone}
        fault={null}
      />
      <Button disabled={start === null || end === null} onClick={show}>
        {say("Draw up this period")}
      </Button>
    </Filters>
  );
};
