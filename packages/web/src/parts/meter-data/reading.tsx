import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { isStating, sayAnswers, sayColumn } from "../../rules/column-statement.js";
import { type MeterDataDraft, NO_PROFILE, withStated } from "../../rules/meter-data-draft.js";
import { asStated, type Stated } from "../../rules/table-reading.js";
import { Button } from "../../ui/button.js";
import { Card } from "../../ui/card.js";
import { Field } from "../../ui/field.js";
import { FirstLines } from "./first-lines.js";
import { KeepProfile, ProfileChoice } from "./profiles.js";
import { Questions } from "./questions.js";
import type { MeterDataScope } from "./scope.js";
import { ReadingSettings } from "./settings.js";

interface Shown {
  readonly result: operator.MeterDataResult;
  /** Whether the result is that of the draft; otherwise its answer is still to come. */
  readonly isCurrent: boolean;
  /** The answer before anything was said of the columns. */
  readonly guess: operator.MeterDataResult | null;
  readonly scope: MeterDataScope;
  readonly draft: MeterDataDraft;
  readonly onChange: (draft: MeterDataDraft) => void;
  readonly onAnswered: () => void;
}

/** How a file is read: its format, or the mapping of its columns with what it leaves open. */
export const ReadingOf = (shown: Shown) => {
  const { mapping } = shown.result;
  return (
    <Card title={say("How the file is read")}>
      {shown.result.format === "csv" && (
        <div className="mb-4">
          <ProfileChoice {...shown} scope={shown.scope.profiles} />
        </div>
      )}
      {mapping === undefined || mapping === null ? <Format {...shown} /> : <Columns {...shown} mapping={mapping} />}
    </Card>
  );
};

const formatWords: Readonly<Record<operator.MeterDataResult["format"], string>> = {
  green_button: say("Green Button: the format says what each value is, so there are no columns to choose."),
  nem12: say("NEM12: the format says what each value is, so there are no columns to choose."),
  csv: say("No table of times and values was found in this file."),
};

const Format = ({ result: { format }, draft, onChange }: Shown) => (
  <div className="grid gap-3">
    <p>{formatWords[format]}</p>
    <GuessAgain draft={draft} onChange={onChange} />
    {format === "nem12" && (
      <div className="max-w-sm">
        <Field
          label={say("Offset of the market’s time (optional)")}
          hint={say("Default: +10:00.")}
          defaultValue={draft.timezone}
          onBlur={({ target }) => onChange({ ...draft, timezone: target.value })}
          onKeyDown={({ key, currentTarget }) =>
            key === "Enter" && onChange({ ...draft, timezone: currentTarget.value })
          }
        />
      </div>
    )}
  </div>
);

const Columns = ({
  result,
  isCurrent,
  guess,
  mapping,
  scope,
  draft,
  onChange,
  onAnswered,
}: Shown & { readonly mapping: operator.MeterDataMapping }) => {
  const { doubts: asked = [], reasons = [], first_lines: lines = [] } = result;
  const { stated } = draft;
  const kept = (result.mapping_profile ?? null) === null ? undefined : result.profile_mapping?.values;
  const answer = { mapping, doubts: asked, kept };
  const reading = isCurrent ? answer : asStated(answer, stated);
  const { doubts } = reading;
  const state = (next: Stated): void => onChange(withStated(draft, result, next));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {doubts.length > 0 && (
        <Questions
          doubts={doubts}
          timezone={scope.timezone}
          onAnswer={(answered, value) => {
            state(sayAnswers(reading, stated, answered, value));
            onAnswered();
          }}
        />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <p className="text-sm text-muted">
          {say(
            "The first lines of the file. Each column says what it is taken for; choose its head to say what it is instead.",
          )}
        </p>
        <FirstLines
          {...reading}
          reasons={reasons}
          guess={guess?.mapping ? { mapping: guess.mapping, reasons: guess.reasons ?? [] } : null}
          lines={lines}
          // Series may get other names, so meters are chosen again.
          onSay={(column, role) =>
            onChange(withStated({ ...draft, choices: {} }, result, sayColumn(reading, stated, column, role)))
          }
        />
      </div>
      <ReadingSettings reading={reading} stated={stated} onState={state} />
      <GuessAgain draft={draft} onChange={onChange} />
      {reasons.length > 0 && <Reasons reasons={reasons} />}
      {asked.length === 0 && <KeepProfile result={result} isCurrent={isCurrent} scope={scope.profiles} />}
    </div>
  );
};

const GuessAgain = ({ draft, onChange }: Pick<Shown, "draft" | "onChange">) =>
  isStating(draft.stated) && (
    <div className="flex flex-wrap items-center gap-3">
      <p className="text-sm text-muted">{say("Some of this is as you said.")}</p>
      <Button onClick={() => onChange({ ...draft, choices: {}, stated: {} })}>
        {draft.profile === null || draft.profile === NO_PROFILE
          ? say("Guess all of it again")
          : say("Back to the profile")}
      </Button>
    </div>
  );

const Reasons = ({ reasons }: { readonly reasons: readonly string[] }) => (
  <details>
    <summary className="min-h-6 text-sm font-medium text-accent">{say("Why it is read like this")}</summary>
    <ul className="mt-1 list-disc pl-5 text-sm text-muted">
      {reasons.map((reason) => (
        <li key={reason} className="break-words">
          {reason}
        </li>
      ))}
    </ul>
  </details>
);
