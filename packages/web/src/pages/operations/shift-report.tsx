import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { callOperator } from "../../api/call.js";
import { useUser } from "../../api/session.js";
import { useOperator } from "../../api/use-call.js";
import { useFormChange } from "../../api/use-change.js";
import { Found } from "../../parts/found.js";
import { mayWrite } from "../../rules/role.js";
import { textsOf } from "../../rules/shift-report.js";
import { Button } from "../../ui/button.js";
import { PageHead } from "../../ui/card.js";
import { Actions } from "../../ui/dialog.js";
import { Form, FormFault } from "../../ui/form.js";
import { DayAndClock, Period } from "../../ui/page-zone.js";
import { TextLink } from "../../ui/text-link.js";
import { useDraft } from "../../ui/use-draft.js";
import { actorWords } from "./audit/words.js";
import { ShiftDocument } from "./hand-over/document.js";

const route = getRouteApi("/operations/hand-over/$id");

/** A shift report that was kept. */
export const ShiftReportPage = () => {
  const { id } = route.useParams();
  const { version } = route.useSearch();
  const query = version === undefined ? {} : { version };
  return (
    <Found
      of={useOperator("/shift-reports/{id}", { params: { id }, query })}
      what="shift report"
      back="/operations/hand-over"
    >
      {(report) => <Report key={report.version} report={report} />}
    </Found>
  );
};

const Report = ({ report }: { readonly report: operator.ShiftReport }) => {
  const [isEdited, setEdited] = useState(false);
  const isNewest = report.version === report.versions.at(-1)?.version;
  const mayEdit = mayWrite(useUser()) && isNewest && !isEdited;
  return (
    <article className="print-document">
      <PageHead
        title={say("Shift report")}
        lead={<Period start={report.from_time} end={report.to_time} />}
        actions={
          <div className="flex flex-wrap gap-2 print:hidden">
            {mayEdit && <Button onClick={() => setEdited(true)}>{say("Edit the texts")}</Button>}
            {!isEdited && (
              <Button look="primary" onClick={() => window.print()}>
                {say("Print or save as PDF")}
              </Button>
            )}
          </div>
        }
      />
      {isEdited ? (
        <Editing report={report} onDone={() => setEdited(false)} />
      ) : (
        <ShiftDocument drawn={report} texts={report} draft={null} />
      )}
      <Versions report={report} />
    </article>
  );
};

const Editing = ({ report, onDone }: { readonly report: operator.ShiftReport; readonly onDone: () => void }) => {
  const texts = useDraft(textsOf(report));
  const { id, version } = report;
  const save = useFormChange(
    () => callOperator("PATCH", "/shift-reports/{id}", { params: { id }, body: { ...texts.values, version } }),
    { done: say("The texts are saved."), after: onDone },
  );
  return (
    <Form onSend={() => save.run(undefined)} error={save.error}>
      <div>
        <ShiftDocument drawn={report} texts={texts.values} draft={texts} />
      </div>
      <FormFault />
      <Actions>
        <Button onClick={onDone}>{say("Discard the changes")}</Button>
        <Button type="submit" look="primary" busy={save.isPending && say("Saving…")}>
          {say("Save")}
        </Button>
      </Actions>
    </Form>
  );
};

const Versions = ({ report: { id, version: shown, versions } }: { readonly report: operator.ShiftReport }) => (
  <section className="mt-6 text-sm">
    <h2 className="mb-2 border-b border-line-strong pb-1 text-base font-semibold">{say("Versions of the texts")}</h2>
    <ul>
      {versions.map(({ version, at, by, by_name }) => (
        <li key={version}>
          {version === shown ? (
            say("Version {n}", { n: version })
          ) : (
            <TextLink to="/operations/hand-over/$id" params={{ id }} search={{ version }}>
              {say("Version {n}", { n: version })}
            </TextLink>
          )}
          , <DayAndClock at={at} />, {actorWords(by, by_name)}
        </li>
      ))}
    </ul>
  </section>
);
