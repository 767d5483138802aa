import type { operator } from "@curtail/contract";
import { SHIFT_TEXT_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { usePageFooter } from "../../../parts/dispatch-report/use-page-footer.js";
import { type ShiftTexts, shiftSections, shiftSentence } from "../../../rules/shift-report.js";
import { TextArea } from "../../../ui/field.js";
import { Exact } from "../../../ui/page-zone.js";
import { sayParts } from "../../../ui/say-parts.js";
import type { Draft } from "../../../ui/use-draft.js";
import { ShiftSection } from "./sections.js";

const noteLabels: Readonly<Record<Exclude<keyof ShiftTexts, "summary">, string>> = {
  dispatches_note: say("Note about dispatches"),
  alarms_note: say("Note about alarms"),
  calls_note: say("Note about phone calls"),
  changes_note: say("Note about changes"),
  next_note: say("Note about next 24 hours"),
};

/** A shift report as a document, to read, to print or, with a draft of its texts, to write. */
export const ShiftDocument = ({
  drawn,
  texts,
  draft,
}: {
  readonly drawn: Omit<operator.ShiftReportDraft, "previous">;
  readonly texts: ShiftTexts;
  /** null: its texts are read. */
  readonly draft: Draft<ShiftTexts> | null;
}) => {
  usePageFooter(say("Shift report"));
  const written = (name: keyof ShiftTexts, label: string) =>
    draft === null ? (
      <Written text={texts[name]} />
    ) : (
      <TextArea
        label={label}
        rows={name === "summary" ? 4 : 2}
        maxLength={SHIFT_TEXT_CHARACTERS}
        {...draft.text(name)}
      />
    );
  return (
    <>
      <p className="text-lg font-medium">{shiftSentence(drawn)}</p>
      <p className="mb-3 text-sm text-muted">
        {sayParts("As known at {time}.", { time: <Exact at={drawn.drawn_at} /> })}
      </p>
      {written("summary", say("Summary: what the next shift has to know first"))}
      {shiftSections.map(([name, title, note]) => (
        <Section key={name} title={title}>
          <ShiftSection name={name} drawn={drawn} />
          <div className="mt-2">{written(note, noteLabels[note])}</div>
        </Section>
      ))}
    </>
  );
};

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="mt-6">
    <h2 className="mb-2 border-b border-line-strong pb-1 text-base font-semibold break-after-avoid">{title}</h2>
    {children}
  </section>
);

const Written = ({ text }: { readonly text: string }) =>
  text === "" ? null : <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>;
