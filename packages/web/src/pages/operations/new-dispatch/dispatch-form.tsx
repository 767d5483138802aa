import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { power } from "../../../format/quantity.js";
import { bodyOf, calledSites, type DispatchableSite, type Filling, timesOf } from "../../../rules/dispatch-draft.js";
import { Button, ButtonLink } from "../../../ui/button.js";
import { Card, Stack } from "../../../ui/card.js";
import { Checkbox, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { sayParts } from "../../../ui/say-parts.js";
import { Waiting } from "../../../ui/state.js";
import { useNow } from "../../../ui/use-now.js";
import { SiteChoice } from "./site-choice.js";
import { TimeChoice } from "./time-choice.js";

/** Program, sites and times of a new dispatch. */
export const DispatchForm = ({
  programs,
  program,
  draft,
  sites,
  isWhole,
  onChange,
  onDone,
}: Filling & {
  readonly programs: readonly operator.Program[];
  readonly program: operator.Program;
  readonly sites: readonly DispatchableSite[];
  readonly isWhole: boolean;
  readonly onDone: () => void;
}) => {
  const [isTried, setTried] = useState(false);
  const times = timesOf(draft, program.timezone, useNow());
  const isReady = isWhole && bodyOf(draft, sites, times) !== null;
  return (
    <Form onSend={() => (isReady ? onDone() : setTried(true))}>
      <Stack>
        <Card title={say("What")}>
          <div className="grid gap-3 md:grid-cols-2">
            <Select
              label={say("Program")}
              value={draft.programId}
              choices={programs.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(event) => onChange({ ...draft, programId: event.target.value, chosen: new Set(), group: "" })}
            />
            <Checkbox
              label={say("Test dispatch, not a response to the market")}
              checked={draft.test}
              onChange={(event) => onChange({ ...draft, test: event.target.checked })}
            />
          </div>
        </Card>
        <TimeChoice {...{ draft, onChange, times, isTried }} timeZone={program.timezone} />
        {isWhole ? <SiteChoice {...{ draft, onChange, sites }} /> : <Waiting />}
      </Stack>
      <Foot called={calledSites(draft, sites)} isTried={isTried} />
    </Form>
  );
};

const Foot = ({ called, isTried }: { readonly called: readonly DispatchableSite[]; readonly isTried: boolean }) => (
  <div className="sticky bottom-0 z-10 -mx-3 flex flex-wrap items-center justify-between gap-3 border-t border-line bg-surface px-3 py-3 md:-mx-4 md:px-4 xl:-mx-6 xl:px-6">
    <div role="status">
      {sayParts("<strong>{n, plural, one {# site} other {# sites}}</strong><muted>, {kw} committed</muted>", {
        n: called.length,
        kw: power(called.reduce((sum, { commitmentKw }) => sum + (commitmentKw ?? 0), 0)),
        strong: (inside) => <strong className="text-lg">{inside}</strong>,
        muted: (inside) => <span className="text-muted">{inside}</span>,
      })}
      {isTried && called.length === 0 && <div className="text-sm text-bad">{say("Choose at least one site.")}</div>}
    </div>
    <div className="flex gap-2">
      <ButtonLink to="/operations/dispatches">{say("Leave", {}, "verb")}</ButtonLink>
      <Button type="submit" look="primary">
        {say("Preview", {}, "verb")}
      </Button>
    </div>
  </div>
);
