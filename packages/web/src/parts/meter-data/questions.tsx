import { useState } from "react";
import type { Doubt } from "../../rules/table-reading.js";
import { Button } from "../../ui/button.js";
import { Form } from "../../ui/form.js";
import { TimezoneField } from "../timezone-field.js";

interface Asking {
  readonly doubts: readonly Doubt[];
  /** Time zone of the site. */
  readonly timezone: string;
  readonly onAnswer: (doubt: Doubt, answer: string | number) => void;
}

/** What a file leaves open, with the answers as buttons. */
export const Questions = ({ doubts, timezone, onAnswer }: Asking) => (
  <ul className="grid gap-3" aria-label="Questions about the file">
    {doubts.map((doubt) => (
      <li key={`${doubt.member} ${doubt.column ?? ""} ${doubt.line}`} className="rounded-lg bg-warn-soft px-4 py-3">
        <p className="font-medium text-warn">{doubt.question}</p>
        <div className="mt-2 flex flex-wrap items-end gap-2">
          {choicesOf(doubt, timezone).map(({ value, meaning }) => (
            <Button key={value} onClick={() => onAnswer(doubt, value)}>
              {meaning}
            </Button>
          ))}
          {doubt.member === "time.zone" && <OtherZone onAnswer={(zone) => onAnswer(doubt, zone)} />}
        </div>
      </li>
    ))}
  </ul>
);

const choicesOf = ({ member, choices }: Doubt, timezone: string): Doubt["choices"] => {
  if (member === "interval_seconds")
    return choices.map(({ value, meaning }) => ({ value, meaning: `${Number(value) / 60} minutes: ${meaning}` }));
  if (member !== "time.zone") return choices;
  return [
    { value: timezone, meaning: `${timezone}, as the site` },
    ...(timezone === "UTC" ? [] : [{ value: "UTC", meaning: "UTC" }]),
  ];
};

const OtherZone = ({ onAnswer }: { readonly onAnswer: (zone: string) => void }) => {
  const [zone, setZone] = useState("");
  return (
    <Form onSend={() => zone.trim() !== "" && onAnswer(zone.trim())}>
      <div className="flex flex-wrap items-end gap-2">
        <TimezoneField label="Another time zone" value={zone} onChange={({ target }) => setZone(target.value)} />
        <Button type="submit">Use it</Button>
      </div>
    </Form>
  );
};
