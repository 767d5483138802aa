import { say } from "@curtail/words/page";
import { exact } from "../../format/time.js";
import { lastByChannel, type Told } from "../../rules/told-account.js";
import { channelTitles } from "../channel-texts.js";
import { evidenceWords, reasonWords } from "../evidence-words.js";
import { ReportTable } from "./table.js";

/** How each account was notified, by which channel, and whether one succeeded. */
export const ReportNotices = ({ told, timeZone }: { readonly told: readonly Told[]; readonly timeZone: string }) => (
  <ReportTable
    label={say("Notifications")}
    rows={told}
    keyOf={({ accountId }) => accountId}
    columns={[
      { head: say("Account"), cell: ({ name }) => name },
      { head: say("Sites"), number: true, cell: ({ sites }) => sites },
      {
        head: say("First notice ({zone})", { zone: timeZone }),
        cell: ({ evidence }) => {
          const first = evidence.find(({ what }) => what === "notified");
          return first === undefined ? say("none", {}, "notice") : exact(first.at, timeZone);
        },
      },
      { head: say("Last event of each channel"), cell: (each) => <Channels told={each} timeZone={timeZone} /> },
      ...(told.some(({ isNotified }) => isNotified !== null)
        ? [{ head: say("Notified"), cell: ({ isNotified }: Told) => (isNotified === true ? say("yes") : say("no")) }]
        : []),
    ]}
  />
);

const Channels = ({ told, timeZone }: { readonly told: Told; readonly timeZone: string }) => {
  const last = lastByChannel(told);
  if (last.length === 0) return say("nothing was read or delivered before the end");
  return (
    <ul>
      {last.map((each) => (
        <li key={each.channel}>
          {channelTitles[each.channel]}: {evidenceWords(each)}
          {each.detail.reason === undefined ? "" : `, ${reasonWords[each.detail.reason]}`}, {exact(each.at, timeZone)}
        </li>
      ))}
    </ul>
  );
};
