import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { type NextStep, whatFollows } from "../../../rules/what-follows.js";
import { Card } from "../../../ui/card.js";
import { DayAndClock, usePageZone } from "../../../ui/page-zone.js";
import { TextLink } from "../../../ui/text-link.js";

/** What an account can expect of a dispatch, from now to its statement. */
export const WhatFollows = ({ dispatch }: { readonly dispatch: participantConsole.AccountDispatch }) => (
  <Card title={say("What happens next")}>
    <ol className="grid gap-2.5">
      {whatFollows(dispatch, usePageZone()).map((step) => (
        <li key={step.kind} className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3">
          <span className="font-medium">
            <When step={step} />
          </span>
          <Words step={step} />
        </li>
      ))}
    </ol>
  </Card>
);

const When = ({ step: { kind, at } }: { readonly step: NextStep }) => {
  if (at !== null) return <DayAndClock at={at} />;
  if (kind === "now") return say("Now", {}, "at this moment");
  return kind === "statement" ? say("Each month") : say("After the end");
};

const Words = ({ step: { kind, words } }: { readonly step: NextStep }) =>
  kind === "statement" ? <TextLink to="/dashboard/statements">{words}</TextLink> : <span>{words}</span>;
