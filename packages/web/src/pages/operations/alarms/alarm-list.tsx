import { callOperator } from "../../../api/call.js";
import { useUser } from "../../../api/session.js";
import { useChange } from "../../../api/use-change.js";
import { ago, dayAndClock, exact } from "../../../format/time.js";
import { messageOf } from "../../../rules/alarm.js";
import { mayWrite } from "../../../rules/role.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import type { Listed } from "../../../ui/listed.js";
import { Empty, Fault, Waiting } from "../../../ui/state.js";
import { ShowMore } from "../../../ui/table.js";
import { useNow } from "../../../ui/use-now.js";
import { AccountLink } from "../account-link.js";
import type { Alarm } from "./alarm.js";
import { AlarmLinks } from "./alarm-links.js";

const kinds: Readonly<Record<string, string>> = {
  notice_undelivered: "Notice not delivered",
  notice_failed: "Account not notified",
  mail_stuck: "Mail is delayed",
  gateway_failing: "SMS or calls are delayed",
  last_webhook_deleted: "Last webhook deleted",
  certificate_expiring: "Certificate expires soon",
  ven_silent: "VEN is silent",
  ven_unacknowledged: "VEN did not acknowledge",
  ven_error: "VEN reported an error",
  ven_opted_out: "VEN opted out",
  telemetry_stale: "Telemetry is stale",
  disk_low: "Disk space is low",
};

/** Title of a kind. Kinds are added over time: an unknown one is shown by its code. */
const kindWords = (kind: string): string => kinds[kind] ?? kind.replaceAll("_", " ");

/** Alarms with their actions. */
export const AlarmList = ({ list, empty }: { readonly list: Listed<Alarm>; readonly empty: string }) => {
  if (list.isPending) return <Waiting />;
  return (
    <>
      {list.error !== null && <Fault error={list.error} />}
      {list.items.length === 0 && <Empty>{empty}</Empty>}
      <ul aria-label="Alarms" className="divide-y divide-line">
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
  const writes = mayWrite(useUser());
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-[1_1_20rem]">
        <div className="font-medium [&_a]:underline">
          {kindWords(alarm.kind)}
          {alarm.account_id !== null && (
            <>
              : <AccountLink id={alarm.account_id} name={alarm.account_name ?? alarm.account_id} />
            </>
          )}{" "}
          <span className="ml-1 text-sm font-normal text-muted" title={exact(alarm.raised_at)}>
            {ago(alarm.raised_at, now)}
          </span>
        </div>
        <p className="max-w-[90ch] text-sm text-muted [overflow-wrap:anywhere]">{messageOf(alarm)}</p>
        <AlarmLinks alarm={alarm} />
      </div>
      <State alarm={alarm} writes={writes} />
    </li>
  );
};

const State = ({ alarm, writes }: { readonly alarm: Alarm; readonly writes: boolean }) => {
  const { id, acknowledged_at, cleared_at } = alarm;
  const acknowledge = useChange(() => callOperator("POST", "/alarms/{id}/acknowledge", { params: { id } }), {
    done: "Alarm acknowledged.",
  });
  if (cleared_at !== null) return <Moment tone="good" word="cleared" at={cleared_at} />;
  if (acknowledged_at !== null) return <Moment tone="neutral" word="acknowledged" at={acknowledged_at} />;
  if (!writes) return <Badge tone="bad">open</Badge>;
  return (
    <Button
      onClick={() => acknowledge.run(undefined)}
      busy={acknowledge.isPending && "One moment…"}
      aria-label={`Acknowledge: ${kindWords(alarm.kind)}`}
    >
      Acknowledge
    </Button>
  );
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
