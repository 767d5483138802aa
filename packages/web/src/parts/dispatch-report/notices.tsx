import { channels } from "@curtail/contract/lists/channels";
import { exact } from "../../format/time.js";
import { hasAnswered, lastByChannel, type Told } from "../../rules/acknowledgement.js";
import { evidenceWords, reasonWords } from "../evidence-words.js";
import { ReportTable } from "./table.js";

/** How each account was notified, by which channel, and whether it acknowledged. */
export const ReportNotices = ({ told, timeZone }: { readonly told: readonly Told[]; readonly timeZone: string }) => (
  <ReportTable
    label="Notifications"
    rows={told}
    keyOf={({ accountId }) => accountId}
    columns={[
      { head: "Account", cell: ({ name }) => name },
      { head: "Sites", number: true, cell: ({ sites }) => sites },
      {
        head: `Notified (${timeZone})`,
        cell: ({ evidence }) => {
          const first = evidence.find(({ what }) => what === "notified");
          return first === undefined ? "not notified" : exact(first.at, timeZone);
        },
      },
      { head: "Last event of each channel", cell: (each) => <Channels told={each} timeZone={timeZone} /> },
      { head: "Acknowledged", cell: (each) => (hasAnswered(each) ? "yes" : "no") },
    ]}
  />
);

const Channels = ({ told, timeZone }: { readonly told: Told; readonly timeZone: string }) => {
  const last = lastByChannel(told);
  if (last.length === 0) return "nothing was read or delivered before the end";
  return (
    <ul>
      {last.map((each) => (
        <li key={each.channel}>
          {channels[each.channel].title}: {evidenceWords(each)}
          {each.detail.reason === undefined ? "" : `, ${reasonWords[each.detail.reason]}`}, {exact(each.at, timeZone)}
        </li>
      ))}
    </ul>
  );
};
