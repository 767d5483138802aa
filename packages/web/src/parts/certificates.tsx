import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { joined } from "../format/and.js";
import { Badge } from "../ui/badge.js";
import { Card } from "../ui/card.js";
import { Exact } from "../ui/page-zone.js";
import { sayParts } from "../ui/say-parts.js";
import { Table } from "../ui/table.js";
import { channelWords } from "./certified-words.js";
import { scenarioWords } from "./scenario-words.js";

type Certificate = operator.IntegrationCertificate;

/** The newest certificate of an account, or what it takes to get one. */
export const Certificates = ({ of: [newest, ...earlier] }: { readonly of: readonly Certificate[] }) => (
  <Card
    title={say("Certificate")}
    actions={newest === undefined ? <Badge>{say("Not yet")}</Badge> : <Badge tone="good">{say("Certified")}</Badge>}
  >
    {newest === undefined ? (
      <p>
        {say(
          "Pass every criterion of two scenarios: “{update}” and “{cancellation}”. The certificate is then stored and shown here and to the operator.",
          { update: scenarioWords.update, cancellation: scenarioWords.cancellation },
        )}
      </p>
    ) : (
      <>
        <p>
          {sayParts("Certified on {time}.", { time: <Exact at={newest.certified_at} /> })}
          {earlier.length > 0 && <> {sayParts("Earlier: {times}.", { times: <Times of={earlier} /> })}</>}
        </p>
        <div className="-mx-4 mt-3 border-t border-line">
          <Table
            label={say("Passed scenarios")}
            rows={newest.passes}
            keyOf={({ scenario_id }) => scenario_id}
            empty={say("None.")}
            columns={[
              { head: say("Scenario"), cell: ({ scenario_type }) => scenarioWords[scenario_type] },
              { head: say("Passed"), cell: ({ passed_at }) => <Exact at={passed_at} /> },
              {
                head: say("Channels"),
                cell: ({ channels }) => (
                  <span className="inline-block first-letter:uppercase">
                    {joined(channels.map((each) => channelWords[each]))}
                  </span>
                ),
              },
              {
                head: say("Key"),
                cell: ({ key_id }) => (key_id === null ? say("a VEN") : <code>{key_id}</code>),
                wide: true,
              },
            ]}
          />
        </div>
      </>
    )}
  </Card>
);

const Times = ({ of }: { readonly of: readonly Certificate[] }) =>
  of.map(({ certified_at }, place) => (
    <span key={certified_at}>
      {place > 0 && ", "}
      <Exact at={certified_at} />
    </span>
  ));
