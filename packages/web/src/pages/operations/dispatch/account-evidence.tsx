import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { dayAndClock, exact } from "../../../format/time.js";
import { channelTitles } from "../../../parts/channel-texts.js";
import { lastByChannel, type Told } from "../../../rules/told-account.js";
import { Badge, type Tone } from "../../../ui/badge.js";
import { useNow } from "../../../ui/use-now.js";
import type { Dispatch } from "./dispatch.js";
import { chipTime, chipWords, whatWords } from "./evidence-words.js";

type Evidence = operator.Evidence;

/** One account: the latest event of each channel, and all evidence on request. */
export const AccountEvidence = ({
  told,
  dispatch,
  isOpen,
  isBrief = false,
}: {
  readonly told: Told;
  readonly dispatch: Dispatch;
  readonly isOpen: boolean;
  /** Times to the minute; the second is in their titles. */
  readonly isBrief?: boolean;
}) => (
  <li>
    <details open={isOpen} className="group">
      <summary className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 hover:bg-sunken/60">
        <span className="min-w-0 font-medium">{told.name}</span>
        <span className="text-sm text-muted">
          {say("{n, plural, one {# site} other {# sites}}", { n: told.sites })}
        </span>
        <span className="flex flex-wrap gap-1.5">
          {told.isNotified === false && <Badge tone="bad">{say("not notified", {}, "account")}</Badge>}
          {lastByChannel(told).map((each) => (
            <Badge key={each.channel} tone={toneOf(each)}>
              <span>
                {channelTitles[each.channel]}: {chipWords(each)}, <ChipTime at={each.at} dispatch={dispatch} />
              </span>
            </Badge>
          ))}
        </span>
      </summary>
      <Timeline evidence={told.evidence} zone={dispatch.program.timezone} isBrief={isBrief} />
    </details>
  </li>
);

const ChipTime = ({ at, dispatch }: { readonly at: string; readonly dispatch: Dispatch }) => (
  <time dateTime={at}>{chipTime(at, dispatch, useNow())}</time>
);

const toneOf = ({ what, channel, detail }: Evidence): Tone => {
  if (what === "failed") return "bad";
  if (what === "mailed" || what === "handed_over") return "info";
  if (what === "notified") return channel === "mail" ? "warn" : "neutral";
  if (what === "attempt") return typeof detail.error === "string" ? "warn" : "good";
  return detail.after_end === true ? "neutral" : "good";
};

const columns = { brief: "sm:grid-cols-[9rem_5rem_1fr]", exact: "sm:grid-cols-[15rem_5rem_1fr]" } as const;

const Timeline = ({
  evidence,
  zone,
  isBrief,
}: {
  readonly evidence: readonly Evidence[];
  readonly zone: string;
  readonly isBrief: boolean;
}) => {
  if (evidence.length === 0)
    return (
      <p className="px-4 pb-3 text-sm text-muted">
        {say("No evidence yet: the account was not notified and read nothing.")}
      </p>
    );
  return (
    <ol
      className="mb-3 ml-5 border-l border-line-strong text-sm"
      aria-label={say("Notification history, oldest first")}
    >
      {evidence.map((each, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- evidence is only ever added to at the end
        <li key={index} className={`relative grid gap-x-3 py-1 pr-4 pl-4 ${isBrief ? columns.brief : columns.exact}`}>
          <span aria-hidden="true" className={`absolute top-2.5 -left-1 size-2 rounded-full ${dots[toneOf(each)]}`} />
          <time dateTime={each.at} title={exact(each.at, zone)} className="whitespace-nowrap">
            {isBrief ? dayAndClock(each.at, zone) : exact(each.at, zone)}
          </time>
          <span className="text-muted">{channelTitles[each.channel]}</span>
          <span className="min-w-0 [overflow-wrap:anywhere]">{whatWords(each)}</span>
        </li>
      ))}
    </ol>
  );
};

const dots: Readonly<Record<Tone, string>> = {
  good: "bg-good",
  warn: "bg-warn",
  bad: "bg-bad",
  info: "bg-info",
  neutral: "bg-muted",
  accent: "bg-accent",
};
