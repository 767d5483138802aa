import { say } from "@curtail/words/page";
import { ago } from "../../../format/time.js";
import { Environment } from "../../../parts/environment.js";
import type { Openadr3Client } from "../../../rules/openadr3-client-draft.js";
import { Badge } from "../../../ui/badge.js";
import type { Listed } from "../../../ui/listed.js";
import { ListTable } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";
import { useNow } from "../../../ui/use-now.js";

/** Clients of OpenADR 3, of an account or business logic. */
export const ClientList = ({
  label,
  list,
  empty,
}: {
  readonly label: string;
  readonly list: Listed<Openadr3Client>;
  readonly empty: string;
}) => {
  const now = useNow();
  return (
    <ListTable
      label={label}
      list={list}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          head: say("Name"),
          cell: ({ id, name }) => (
            <>
              <TextLink to="/operations/openadr3/clients/$id" params={{ id }}>
                {name}
              </TextLink>
              <div>
                <code className="text-xs text-muted">{id}</code>
              </div>
            </>
          ),
        },
        { head: say("Environment"), cell: ({ environment }) => <Environment of={environment} /> },
        { head: say("Targets"), cell: ({ targets }) => (targets.length === 0 ? "–" : targets.join(", ")), wide: true },
        { head: say("Last used"), cell: ({ last_used_at }) => ago(last_used_at, now) },
        { head: say("State"), cell: ({ state }) => <ClientState state={state} /> },
      ]}
    />
  );
};

export const ClientState = ({ state }: Pick<Openadr3Client, "state">) =>
  state === "active" ? (
    <Badge tone="good">{say("Active", {}, "client")}</Badge>
  ) : (
    <Badge>{say("Revoked", {}, "client")}</Badge>
  );
