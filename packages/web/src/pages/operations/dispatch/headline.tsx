import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { count } from "../../../format/quantity.js";
import { ago, clock, clockWithSeconds, countdown } from "../../../format/time.js";
import { DispatchBadges } from "../../../parts/dispatch-badges.js";
import type { Headline as Words } from "../../../rules/dispatch-headline.js";
import { stateOf } from "../../../rules/dispatch-state.js";
import { Period, ZoneChoice } from "../../../ui/page-zone.js";
import { sayParts } from "../../../ui/say-parts.js";
import { TextLink } from "../../../ui/text-link.js";
import { useNow } from "../../../ui/use-now.js";
import { useTitle } from "../../../ui/use-title.js";
import type { Dispatch } from "./dispatch.js";
import { HeadlineSentence } from "./headline-sentence.js";

/** The answer as a sentence, then how much time is left, what the dispatch is, and what can be done. */
export const Headline = ({
  dispatch,
  words,
  accounts,
  measured,
  readingAt,
  at,
  children,
}: {
  readonly dispatch: Dispatch;
  readonly words: Words;
  readonly accounts: number;
  /** Number of sites that the sentence is about. */
  readonly measured: number;
  /** The newest reading; null without one. */
  readonly readingAt: string | null;
  /** The moment of a replay; null: now. */
  readonly at: Date | null;
  readonly children: ReactNode;
}) => {
  const { name, timezone } = dispatch.program;
  useTitle(say("Dispatch {name} {time}", { name, time: clock(dispatch.start_time, timezone) }));
  const sites = dispatch.sites.length;
  const isPart = words.delivered !== null && measured > 0 && measured < sites;
  return (
    <>
      <nav aria-label={say("Breadcrumb")} className="text-sm text-muted print:hidden">
        <TextLink to="/operations/dispatches">{say("Dispatches")}</TextLink> / {name}
      </nav>
      <header className="mt-0.5 mb-2 grid gap-y-1">
        <div className="flex items-baseline justify-between gap-x-7 gap-y-0.5 max-md:flex-col">
          <h1 className="min-w-0 text-[23px] leading-tight font-medium tracking-tight text-pretty break-words md:text-[27px]">
            <HeadlineSentence name={name} words={words} isBad={at === null} />
          </h1>
          {at === null ? (
            <TimeLeft dispatch={dispatch} />
          ) : (
            <LargeTime>{sayParts("<small>as of</small> {time}", large(clockWithSeconds(at, timezone)))}</LargeTime>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-7 gap-y-2">
          <p className="flex min-w-0 flex-wrap items-center gap-x-2 text-muted">
            <Badges dispatch={dispatch} at={at} />
            <Period start={dispatch.start_time} end={dispatch.end_time} />
            <ZoneChoice />
            <span>
              {"· "}
              {say(
                "{sites, plural, one {# site} other {# sites}} of {accounts, plural, one {# account} other {# accounts}}",
                { sites, accounts },
              )}
            </span>
            {isPart && (
              <span>
                {"· "}
                {say("{n} of {all, plural, one {# site} other {# sites}} measured", { n: count(measured), all: sites })}
              </span>
            )}
            {at === null ? (
              <Freshness at={readingAt} />
            ) : (
              <span className="text-info">· {say("replay", {}, "noun")}</span>
            )}
          </p>
          <div className="flex flex-wrap items-center gap-2 md:ml-auto">{children}</div>
        </div>
      </header>
    </>
  );
};

const TimeLeft = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const now = useNow();
  const { start_time, end_time } = dispatch;
  switch (stateOf(dispatch, now)) {
    case "upcoming":
      return <LargeTime>{sayParts("<small>starts in</small> {time}", large(countdown(start_time, now)))}</LargeTime>;
    case "in_progress":
      return (
        <LargeTime>
          {end_time === null
            ? small(say("no end set yet"))
            : sayParts("<small>ends in</small> {time}", large(countdown(end_time, now)))}
        </LargeTime>
      );
    case "over":
    case "cancelled":
      return null;
  }
};

const LargeTime = ({ children }: { readonly children: ReactNode }) => (
  <span className="whitespace-nowrap">{children}</span>
);

const small = (inside: ReactNode) => <span className="text-[13px] text-muted">{inside}</span>;

const large = (time: string) => ({
  small,
  time: <b className="text-[28px] leading-tight tracking-tight">{time}</b>,
});

const Badges = ({ dispatch, at }: { readonly dispatch: Dispatch; readonly at: Date | null }) => {
  const now = useNow();
  return <DispatchBadges dispatch={dispatch} now={at ?? now} />;
};

const Freshness = ({ at }: { readonly at: string | null }) => {
  const now = useNow();
  return at === null ? null : (
    <span className="whitespace-nowrap">
      · <span aria-hidden="true" className="mr-1 inline-block size-2 rounded-full bg-muted" />{" "}
      {say("last reading {ago}", { ago: ago(at, now) })}
    </span>
  );
};
