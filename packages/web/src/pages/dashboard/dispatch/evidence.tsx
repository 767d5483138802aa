import type { Dispatch, operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useConsoleList } from "../../../api/use-call.js";
import { channelTitles } from "../../../parts/channel-texts.js";
import { evidenceDetail, evidenceWords } from "../../../parts/evidence-words.js";
import { Badge, type Tone } from "../../../ui/badge.js";
import { Card, Stack } from "../../../ui/card.js";
import { Exact, usePageZone } from "../../../ui/page-zone.js";
import { ListTable } from "../../../ui/table.js";
import { DispatchDeliveries } from "../deliveries.js";

type Evidence = operator.Evidence;

const tones: Readonly<Partial<Record<Evidence["what"], Tone>>> = {
  delivered: "good",
  acknowledged: "good",
  fetched: "good",
  polled: "good",
  viewed: "good",
  failed: "bad",
  mailed: "warn",
  handed_over: "accent",
};

/** Events after the end are no acknowledgement. */
const toneOf = ({ what, detail }: Evidence): Tone => {
  if (detail.after_end === true) return "neutral";
  if (what === "attempt" && typeof detail.error === "string") return "warn";
  return tones[what] ?? "neutral";
};

const wasRecorded = ({ creation_time, end_time }: Dispatch): boolean => end_time !== null && end_time < creation_time;

/** How the account was notified of a dispatch: evidence in order, and webhook deliveries. */
export const DispatchEvidence = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const { id } = dispatch;
  const evidence = useConsoleList("/dispatches/{id}/evidence", { params: { id } });
  return (
    <Stack>
      <Card title={say("Notification history")} flush>
        <ListTable<Evidence>
          label={say("Notification history")}
          list={evidence}
          keyOf={({ at, channel, what, detail }) => `${at} ${channel} ${what} ${JSON.stringify(detail)}`}
          empty={
            wasRecorded(dispatch)
              ? say("Nobody was notified: the dispatch was recorded after its end.")
              : say("No entries yet.")
          }
          columns={[
            {
              head: say("Time"),
              cell: ({ at }) => (
                <span className="md:whitespace-nowrap">
                  <Exact at={at} />
                </span>
              ),
            },
            { head: say("By"), cell: ({ channel }) => channelTitles[channel] },
            {
              head: say("What"),
              cell: (each) => <Badge tone={toneOf(each)}>{evidenceWords(each)}</Badge>,
            },
            {
              head: say("Detail"),
              cell: (each) => <span className="break-words text-muted">{evidenceDetail(each)}</span>,
            },
          ]}
        />
      </Card>
      <Card title={say("Deliveries to webhooks")} flush>
        <DispatchDeliveries id={id} timeZone={usePageZone()} />
      </Card>
    </Stack>
  );
};
