import { say } from "@curtail/words/page";
import { useState } from "react";
import { callConsole } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { lastsAt } from "../../../rules/availability.js";
import {
  type BlockDraft,
  blocksOf,
  cutoffOf,
  cutoffWords,
  datesOf,
  laterInSeries,
  redrafted,
} from "../../../rules/availability-draft.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Checkbox, Choices, Field, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import type { Block, OwnSite } from "./own-blocks.js";

interface Props {
  readonly start: BlockDraft;
  /** null: a new block. */
  readonly changed: Block | null;
  readonly series: readonly Block[];
  readonly sites: readonly OwnSite[];
  readonly now: Date;
  readonly onClose: () => void;
}

/** Times, power, repetition and sites of a block, with the cut-off in words. */
export const BlockForm = ({ start, changed, series, sites, now, onClose }: Props) => {
  const [draft, setDraft] = useState(start);
  const [isOfSeries, setOfSeries] = useState(false);
  const change = (part: Partial<BlockDraft>) => setDraft({ ...draft, ...part });
  const replaced = changed === null ? [] : isOfSeries ? laterInSeries(series, changed) : [changed];
  const { add, fault } = changed === null ? blocksOf(draft, sites) : redrafted(draft, replaced, sites);
  const cutoff = cutoffOf(add, sites);
  // A running block may be shortened: the service knows the rule.
  const isLate = cutoff !== null && cutoff.until <= now && !(changed !== null && lastsAt(changed, now));
  const send = useFormChange(
    () =>
      callConsole("POST", "/schedule", {
        body: { remove: replaced.map(({ id }) => id), add: [...add] },
      }),
    {
      done:
        changed === null
          ? say("{n, plural, one {# block} other {# blocks}} added.", { n: add.length })
          : say("Block changed."),
      after: onClose,
    },
  );
  return (
    <Form onSend={() => fault === null && !isLate && send.run(undefined)} error={send.error}>
      <Times draft={draft} onChange={change} />
      <Power draft={draft} onChange={change} />
      {changed === null ? (
        <>
          <Repeat draft={draft} onChange={change} />
          {sites.length > 1 && <Sites draft={draft} sites={sites} onChange={change} />}
        </>
      ) : (
        changed.series_id !== null && (
          <Checkbox
            label={say("Also change the {n, plural, one {# later block} other {# later blocks}} of the series", {
              n: laterInSeries(series, changed).length - 1,
            })}
            checked={isOfSeries}
            onChange={({ target }) => setOfSeries(target.checked)}
          />
        )
      )}
      <p role="status" className={fault !== null || isLate ? "text-bad" : "text-muted"}>
        {fault ?? (cutoff === null ? "" : cutoffWords(cutoff, now))}
      </p>
      <Actions>
        <Button
          type="submit"
          look="primary"
          busy={send.isPending && say("One moment…")}
          disabled={fault !== null || isLate}
        >
          {changed === null
            ? add.length > 1
              ? say("Add {n} blocks", { n: add.length })
              : say("Add block")
            : say("Save")}
        </Button>
        <Button onClick={onClose}>{say("Back")}</Button>
      </Actions>
    </Form>
  );
};

interface Part {
  readonly draft: BlockDraft;
  readonly onChange: (part: Partial<BlockDraft>) => void;
}

const Times = ({ draft: { isWholeDay, from, to }, onChange }: Part) => (
  <>
    <Checkbox
      label={say("Whole day")}
      checked={isWholeDay}
      onChange={({ target }) => onChange({ isWholeDay: target.checked })}
    />
    {!isWholeDay && (
      <div className="grid grid-cols-2 gap-3">
        <Field
          label={say("From")}
          type="time"
          value={from}
          required
          onChange={({ target }) => onChange({ from: target.value })}
        />
        <Field
          label={say("To")}
          type="time"
          value={to}
          required
          onChange={({ target }) => onChange({ to: target.value })}
          hint={to > from ? say("Local time of each site") : say("On the next day")}
        />
      </div>
    )}
  </>
);

const Power = ({ draft: { kw }, onChange }: Part) => (
  <div className="grid grid-cols-2 gap-3">
    <Select
      label={say("The site is")}
      value={kw === null ? "off" : "reduced"}
      onChange={({ target }) => onChange({ kw: target.value === "off" ? null : "" })}
      choices={[
        { value: "off", label: say("not available") },
        { value: "reduced", label: say("available with less") },
      ]}
    />
    {kw !== null && (
      <Field
        label={say("Can reduce by (kW)")}
        type="number"
        min="0"
        step="any"
        inputMode="decimal"
        value={kw}
        required
        onChange={({ target }) => onChange({ kw: target.value })}
      />
    )}
  </div>
);

const Repeat = ({ draft, onChange }: Part) => (
  <div className="grid grid-cols-2 gap-3">
    <Select
      label={say("Repeat")}
      value={draft.until === null ? "once" : "weekly"}
      onChange={({ target }) => onChange({ until: target.value === "once" ? null : draft.date })}
      choices={[
        { value: "once", label: say("Once") },
        { value: "weekly", label: say("Every week") },
      ]}
    />
    {draft.until !== null && (
      <Field
        label={say("Until")}
        type="date"
        min={draft.date}
        value={draft.until}
        required
        onChange={({ target }) => onChange({ until: target.value === "" ? draft.date : target.value })}
        hint={say("{days, plural, one {# day} other {# days}}", { days: datesOf(draft).length })}
      />
    )}
  </div>
);

const Sites = ({ draft: { siteIds }, sites, onChange }: Part & Pick<Props, "sites">) => (
  <Choices label={say("Sites")} name="sites">
    <div className="max-h-44 overflow-y-auto">
      {sites.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={siteIds.includes(id)}
          onChange={({ target }) =>
            onChange({ siteIds: target.checked ? [...siteIds, id] : siteIds.filter((each) => each !== id) })
          }
        />
      ))}
    </div>
  </Choices>
);
