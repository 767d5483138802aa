import { say } from "@curtail/words/page";
import { useState } from "react";
import { refusalWords } from "../../api/refusal-words.js";
import { alike } from "../../rules/column-statement.js";
import type { Doubt } from "../../rules/table-reading.js";
import { Button } from "../../ui/button.js";
import { Form } from "../../ui/form.js";
import { TimezoneField } from "../timezone-field.js";

interface Asking {
  readonly doubts: readonly Doubt[];
  /** Time zone of the site. */
  readonly timezone: string;
  readonly onAnswer: (doubts: readonly Doubt[], answer: string | number) => void;
}

/** What a file leaves open, with the answers as buttons: one for all columns that leave open the same. */
export const Questions = ({ doubts, ...asking }: Asking) => (
  <ul className="grid gap-3" aria-label={say("Questions about the file")}>
    {alike(doubts).map((group) =>
      group.length === 1 ? (
        <Question key={keyOf(group[0])} doubts={group} {...asking} />
      ) : (
        <li key={keyOf(group[0])} className="grid gap-3 rounded-lg bg-warn-soft px-4 py-3">
          <Answers doubts={group} {...asking} />
          <details>
            <summary className="min-h-6 text-sm font-medium text-accent">
              {say("Answer for each column by itself")}
            </summary>
            <ul className="mt-2 grid gap-3">
              {group.map((doubt) => (
                <Question key={keyOf(doubt)} doubts={[doubt]} {...asking} />
              ))}
            </ul>
          </details>
        </li>
      ),
    )}
  </ul>
);

const keyOf = (doubt: Doubt | undefined): string =>
  doubt === undefined ? "" : `${doubt.member} ${doubt.column ?? ""} ${doubt.line}`;

const Question = (asking: Asking) => (
  <li className="rounded-lg bg-warn-soft px-4 py-3">
    <Answers {...asking} />
  </li>
);

const Answers = ({ doubts, timezone, onAnswer }: Asking) => {
  const [doubt, ...others] = doubts;
  if (doubt === undefined) return null;
  return (
    <div>
      <p className="font-medium text-warn">{refusalWords(doubt.question)}</p>
      {others.length > 0 && (
        <p className="text-sm text-warn">
          {say(
            "{n, plural, one {# more column leaves} other {# more columns leave}} this open. An answer is for all {all} columns.",
            { n: others.length, all: doubts.length },
          )}
        </p>
      )}
      <div className="mt-2 flex flex-wrap items-end gap-2">
        {choicesOf(doubt, timezone).map(({ value, meaning }) => (
          <Button key={value} onClick={() => onAnswer(doubts, value)}>
            {meaning}
          </Button>
        ))}
        {doubt.member === "time.zone" && <OtherZone onAnswer={(zone) => onAnswer(doubts, zone)} />}
      </div>
    </div>
  );
};

const choicesOf = ({ member, choices }: Doubt, timezone: string): Doubt["choices"] => {
  if (member === "interval_seconds")
    return choices.map(({ value, meaning }) => ({
      value,
      meaning: say("{n} minutes: {meaning}", { n: Number(value) / 60, meaning: refusalWords(meaning) }),
    }));
  if (member === "decimal") return choices.map(({ value, meaning }) => ({ value, meaning: numberForm(meaning) }));
  if (member !== "time.zone") return choices.map(({ value, meaning }) => ({ value, meaning: refusalWords(meaning) }));
  return [
    { value: timezone, meaning: say("{zone}, as the site", { zone: timezone }) },
    ...(timezone === "UTC" ? [] : [{ value: "UTC", meaning: "UTC" }]),
  ];
};

/** `1.234 is 1234`. */
const numberForm = (meaning: string): string => {
  const [written = "", value = ""] = meaning.split(" is ");
  return say("{written} is {value}", { written, value });
};

const OtherZone = ({ onAnswer }: { readonly onAnswer: (zone: string) => void }) => {
  const [zone, setZone] = useState("");
  return (
    <Form onSend={() => zone.trim() !== "" && onAnswer(zone.trim())}>
      <div className="flex flex-wrap items-end gap-2">
        <TimezoneField label={say("Another time zone")} value={zone} onChange={({ target }) => setZone(target.value)} />
        <Button type="submit">{say("Use it")}</Button>
      </div>
    </Form>
  );
};
