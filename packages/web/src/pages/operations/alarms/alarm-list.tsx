import { say } from "@curtail/words/page";
import { useUser } from "../../../api/session.js";
import { ago, dayAndClock, exact } from "../../../format/time.js";
import { isShelved, messageOf } from "../../../rules/alarm.js";
import { mayWrite } from "../../../rules/role.js";
import { Badge } from "../../../ui/badge.js";
import type { Listed } from "../../../ui/listed.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { sayParts } from "../../../ui/say-parts.js";
import { Empty, Fault, Waiting } from "../../../ui/state.js";
import { ShowMore } from "../../../ui/table.js";
import { useNow } from "../../../ui/use-now.js";
import { AccountLink } from "../account-link.js";
import { Phone } from "../phone-call.js";
import type { Alarm } from "./alarm.js";
import { AlarmActions } from "./alarm-actions.js";
import { AlarmLinks } from "./alarm-links.js";
import { alarmSentence } from "./alarm-sentence.js";
import { alarmTitle } from "./alarm-title.js";
import { Shelf } from "./shelf.js";
import { useAlarmGroups } from "./use-alarm-groups.js";

/** Alarms with their actions. */
export const AlarmList = ({ list, empty }: { readonly list: Listed<Alarm>; readonly empty: string }) => {
  if (list.isPending) return <Waiting />;
  return (
    <>
      {list.error !== null && <Fault error={list.error} />}
      {list.items.length === 0 && <Empty>{empty}</Empty>}
      <ul aria-label={say("Alarms")} className="divide-y divide-line">
        {list.items.map((alarm) => (
          <Item key={alarm.id} alarm={alarm} />
        ))}
      </ul>
      <ShowMore of={list} />
    </>
  );
};

const Item = ({ alarm }: { readonly alarm: Alarm }) => {
  const now = useNow();
  const timeZone = usePageZone();
  const groups = useAlarmGroups().data?.items ?? [];
  const writes = mayWrite(useUser());
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-[1_1_20rem]">
        <div className="font-medium [&_a]:underline">
          {alarm.account_id === null
            ? alarmTitle(alarm.kind)
            : sayParts("{alarm}: {account}", {
                alarm: alarmTitle(alarm.kind),
                account: <AccountLink id={alarm.account_id} name={alarm.account_name ?? alarm.account_id} />,
              })}{" "}
          <span className="ml-1 text-sm font-normal text-muted" title={exact(alarm.raised_at)}>
            {ago(alarm.raised_at, now)}
          </span>
        </div>
        <p className="max-w-[90ch] text-sm [overflow-wrap:anywhere]">{alarmSentence(alarm, groups, timeZone)}</p>
        {alarm.contact !== null && alarm.cleared_at === null && (
          <p className="text-sm">{sayParts("Call {contact}", { contact: <Phone contact={alarm.contact} /> })}</p>
        )}
        {alarm.note !== null && (
          <p className="text-sm [overflow-wrap:anywhere]">{say("Note: {note}", { note: alarm.note })}</p>
        )}
        <AlarmLinks alarm={alarm} />
        <details className="mt-0.5 max-w-[90ch] text-sm text-muted">
          <summary className="w-fit">{say("Details, and what to do")}</summary>
          <p className="[overflow-wrap:anywhere]">{messageOf(alarm)}</p>
          <a
            href={`/docs/runbook.html#${alarm.kind}`}
            target="_blank"
            rel="noreferrer"
            className="text-accent underline"
          >
            {say("Open the runbook")}
          </a>
        </details>
      </div>
      {isShelved(alarm, now) && <Shelf alarm={alarm} timeZone={timeZone} writes={writes} />}
      {!isShelved(alarm, now) && <State alarm={alarm} writes={writes} />}
    </li>
  );
};

const State = ({ alarm, writes }: { readonly alarm: Alarm; readonly writes: boolean }) => {
  const { acknowledged_at, cleared_at } = alarm;
  if (cleared_at !== null) return <Moment tone="good" word={say("cleared", {}, "alarm")} at={cleared_at} />;
  if (acknowledged_at !== null)
    return <Moment tone="neutral" word={say("acknowledged", {}, "alarm")} at={acknowledged_at} />;
  if (!writes) return <Badge tone="bad">{say("open", {}, "alarm")}</Badge>;
  return <AlarmActions alarm={alarm} title={alarmTitle(alarm.kind)} />;
};

const Moment = ({
  tone,
  word,
  at,
}: {
  readonly tone: "good" | "neutral";
  readonly word: string;
  readonly at: string;
}) => (
  <div>
    <Badge tone={tone}>{word}</Badge>
    <div className="mt-0.5 text-xs whitespace-nowrap text-muted">{dayAndClock(at)}</div>
  </div>
);
