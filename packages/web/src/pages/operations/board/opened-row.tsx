import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { Link } from "@tanstack/react-router";
import { useUser } from "../../../api/session.js";
import { useOperator } from "../../../api/use-call.js";
import { count, plain, power } from "../../../format/quantity.js";
import { clock } from "../../../format/time.js";
import { channelTexts } from "../../../parts/channel-texts.js";
import { GapCurve } from "../../../parts/gap-curve.js";
import { unlisted, usedChannels } from "../../../rules/attention.js";
import type { BoardRow } from "../../../rules/board.js";
import { mayWrite } from "../../../rules/role.js";
import { axisKw, sparkOf } from "../../../rules/spark.js";
import { ButtonLink } from "../../../ui/button.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { Fault } from "../../../ui/state.js";
import { NotifiedByPhone, Phone } from "../phone-call.js";
import { WhyShort } from "./why-short.js";

type Attention = operator.DispatchAttention;

const EVERY_MS = 10_000;

/** Below its row: the curve, whom to call, and why it is short. */
export const OpenedRow = ({
  row,
  now,
  groups,
}: {
  readonly row: BoardRow;
  readonly now: Date;
  /** Alarms of all dispatches. */
  readonly groups: readonly operator.AlarmGroup[];
}) => {
  const { id } = row.dispatch;
  const { data, error } = useOperator("/dispatches/{id}/attention", { params: { id } }, { everyMs: EVERY_MS });
  return (
    <tr id={`opened-${id}`} className="max-md:block">
      <td colSpan={10} className="px-4 pb-2 max-md:block max-md:px-3">
        {error !== null && <Fault error={error} />}
        <div className="grid gap-x-6 gap-y-1 md:grid-cols-2 xl:grid-cols-[1.2fr_1.12fr_0.98fr]">
          <LargeCurve row={row} now={now} />
          <div className="min-h-44 min-w-0">{data !== undefined && <NotNotified id={id} attention={data} />}</div>
          <div className="min-w-0 max-xl:md:col-span-2">
            <WhyShort row={row} groups={groups} worst={data?.worst_sites ?? null} />
            <div className="mt-2 flex flex-wrap gap-1.5">
              <ButtonLink to="/operations/dispatches/$id" params={{ id }}>
                {say("Open page")}
              </ButtonLink>
            </div>
          </div>
        </div>
      </td>
    </tr>
  );
};

const LargeCurve = ({ row: { dispatch, shortKw, urgency }, now }: { readonly row: BoardRow; readonly now: Date }) => {
  const timeZone = usePageZone();
  const spark = sparkOf(dispatch, now);
  return (
    <div className="relative mt-3 mb-5 ml-16 h-24 min-w-0 text-xs text-muted md:h-[148px]">
      {axisKw(spark.topKw).map((kw) => (
        <span
          key={kw}
          className="absolute right-full mr-1.5 -translate-y-1/2 leading-none whitespace-nowrap"
          style={{ top: `${(1 - kw / spark.topKw) * 100}%` }}
        >
          {plain(kw)}
          {kw > 0 && " kW"}
        </span>
      ))}
      <GapCurve
        of={spark}
        urgency={urgency}
        label={say("{program}: {delivered} delivered of {committed} committed", {
          program: dispatch.program_name,
          delivered: power(dispatch.delivered_kw),
          committed: power(dispatch.commitment_kw),
        })}
        isLarge
      />
      {shortKw !== null && urgency !== "none" && spark.nowX > 0.2 && shortKw > spark.topKw * 0.25 && (
        <span
          className="absolute leading-tight font-semibold text-ink"
          style={{ left: `${Math.max(2, spark.nowX * 50)}%`, top: "20%" }}
        >
          {say("{power} short", { power: plain(shortKw) })}
        </span>
      )}
      <Times dispatch={dispatch} nowX={spark.nowX} now={now} timeZone={timeZone} />
    </div>
  );
};

/** Labels of the axis that would overlap are left out: the present counts more than both ends. */
const NEAR = 0.16;

const Times = ({
  dispatch: { start_time, end_time },
  nowX,
  now,
  timeZone,
}: {
  readonly dispatch: BoardRow["dispatch"];
  readonly nowX: number;
  readonly now: Date;
  readonly timeZone: string;
}) => {
  const labels = [
    { x: 0, words: clock(start_time, timeZone), isShown: nowX > NEAR },
    { x: nowX, words: say("{time} now", { time: clock(now, timeZone) }), isShown: true },
    ...(end_time === null
      ? []
      : [{ x: 1, words: say("{time} end", { time: clock(end_time, timeZone) }), isShown: nowX < 1 - NEAR }]),
  ];
  return labels.map(
    ({ x, words, isShown }) =>
      isShown && (
        <span
          key={words}
          className={`absolute top-full mt-1.5 leading-none whitespace-nowrap ${x > 0.9 ? "-translate-x-full" : x < 0.1 ? "" : "-translate-x-1/2"}`}
          style={{ left: `${x * 100}%` }}
        >
          {words}
        </span>
      ),
  );
};

const MOST_LISTED = 4;

const NotNotified = ({ id, attention }: { readonly id: string; readonly attention: Attention }) => {
  const listed = attention.unreached.slice(0, MOST_LISTED);
  const rest = unlisted(attention) + attention.unreached.length - listed.length;
  if (attention.unreached.length === 0) return <Notified attention={attention} />;
  return (
    <section aria-label={say("Not notified")}>
      <h3 className="mt-1.5 mb-1 text-sm font-semibold">
        {say("Not notified, largest first")} <span className="font-normal text-muted">kW</span>
      </h3>
      <ul aria-label={say("Accounts that are not notified")}>
        {listed.map((account) => (
          <Unreached
            key={account.account_id}
            account={account}
            dispatchId={id}
            modification={attention.modification_number}
          />
        ))}
      </ul>
      {rest > 0 && (
        <Link
          to="/operations/dispatches/$id"
          params={{ id }}
          search={{ tab: "evidence" }}
          className="text-[0.8125rem] font-medium text-accent hover:underline"
        >
          {say("{n, plural, one {# more account} other {# more accounts}}", { n: rest })}
        </Link>
      )}
    </section>
  );
};

const Notified = ({ attention }: { readonly attention: Attention }) => {
  const by = usedChannels(attention).map(([channel, number]) => channelTexts[channel].by(number));
  const values = { n: count(attention.reached), all: attention.accounts };
  return (
    <p className="mt-1.5 text-sm text-muted">
      {by.length === 0
        ? say("{n} of {all, plural, one {# account} other {# accounts}} notified", values)
        : say("{n} of {all, plural, one {# account} other {# accounts}} notified: {channels}", {
            ...values,
            channels: by.join(", "),
          })}
    </p>
  );
};

const Unreached = ({
  account: { account_id, account_name, commitment_kw, contact },
  dispatchId,
  modification,
}: {
  readonly account: Attention["unreached"][number];
  readonly dispatchId: string;
  readonly modification: number;
}) => {
  const writes = mayWrite(useUser());
  return (
    <li className="flex min-h-9 items-center gap-2 border-t border-line text-sm">
      <span className="min-w-0 flex-1 leading-tight">
        <Link
          to="/operations/accounts/$id"
          params={{ id: account_id }}
          title={account_name}
          className="block truncate font-medium hover:underline"
        >
          {account_name}
        </Link>
        <small className="block truncate text-xs text-muted">
          {contact === null ? say("no contact: add one to the account") : <Phone contact={contact} />}
        </small>
      </span>
      <span className="font-semibold">{plain(commitment_kw)}</span>
      {writes && (
        <NotifiedByPhone
          callee={{ dispatchId, accountId: account_id, accountName: account_name, modification, contact }}
        />
      )}
    </li>
  );
};
