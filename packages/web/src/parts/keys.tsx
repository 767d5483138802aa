import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { type ReactNode, useState } from "react";
import { useUser } from "../api/session.js";
import { ago } from "../format/time.js";
import { isRevocable } from "../rules/key.js";
import { mayWrite } from "../rules/role.js";
import { Badge, type Tone } from "../ui/badge.js";
import { DayAndClock, Exact } from "../ui/page-zone.js";
import { sayParts } from "../ui/say-parts.js";
import { type Column, ListTable } from "../ui/table.js";
import { useNow } from "../ui/use-now.js";
import { CutOffButton } from "./cut-off-button.js";
import { Environment } from "./environment.js";
import type { KeyScope } from "./new-key.js";
import type { Side } from "./side.js";

type ApiKey = operator.ApiKey;

/** The API keys of an account. */
export const Keys = ({ scope }: { readonly scope: KeyScope }) => {
  const writes = mayWrite(useUser());
  const now = useNow();
  const { columns, empty } = views[scope.side];
  return (
    <ListTable<ApiKey>
      label={say("API keys")}
      list={scope.list}
      keyOf={({ id }) => id}
      empty={empty(writes)}
      columns={[
        ...columns(now),
        ...(writes ? [{ head: say("Action"), cell: (key: ApiKey) => <Revoke scope={scope} apiKey={key} /> }] : []),
      ]}
    />
  );
};

type StateBadges = Readonly<Record<ApiKey["state"], readonly [Tone, string]>>;

const ownStates: StateBadges = {
  unclaimed: ["warn", say("link not opened yet")],
  active: ["good", say("active", {}, "key")],
  revoked: ["neutral", say("revoked", {}, "key")],
  expired: ["neutral", say("expired", {}, "key")],
};

const operatorStates: StateBadges = {
  unclaimed: ["info", say("Link not opened yet")],
  active: ["good", say("Active", {}, "key")],
  revoked: ["neutral", say("Revoked", {}, "key")],
  expired: ["neutral", say("Expired", {}, "key")],
};

const environments: Readonly<Record<ApiKey["environment"], string>> = {
  production: say("production", {}, "environment"),
  sandbox: say("sandbox", {}, "environment"),
};

const State = ({ of: [tone, text] }: { readonly of: StateBadges[ApiKey["state"]] }) => (
  <Badge tone={tone}>{text}</Badge>
);

interface View {
  readonly empty: (writes: boolean) => string;
  readonly columns: (now: Date) => readonly Column<ApiKey>[];
  readonly revoke: {
    readonly action: string;
    readonly look: "plain" | "danger";
    readonly body: (key: ApiKey) => ReactNode;
  };
}

const views: Readonly<Record<Side, View>> = {
  own: {
    empty: (writes) =>
      writes ? say("No API keys yet. Create one for the system that sends readings.") : say("No API keys yet."),
    columns: (now) => [
      {
        head: say("Key"),
        cell: ({ id, environment }) => (
          <>
            <code className="text-xs whitespace-nowrap sm:text-sm">{id}</code>
            <div className="text-muted">{environments[environment]}</div>
          </>
        ),
      },
      {
        head: say("State"),
        cell: ({ state, last_used_at }) => (
          <>
            <State of={ownStates[state]} />
            <div className="text-muted">
              {last_used_at === null ? say("never used") : say("used {ago}", { ago: ago(last_used_at, now) })}
            </div>
          </>
        ),
      },
      { head: say("Issued"), wide: true, cell: ({ created_at }) => <Exact at={created_at} /> },
      {
        head: say("Expires"),
        wide: true,
        cell: ({ expires_at }) => (expires_at === null ? say("never") : <Exact at={expires_at} />),
      },
    ],
    revoke: {
      action: say("Revoke key"),
      look: "plain",
      body: ({ id, environment }) =>
        sayParts(
          "Systems that still use {key} in {environment} are rejected immediately: they cannot send readings or read dispatches. This cannot be undone.",
          { key: <code>{id}</code>, environment: environments[environment] },
        ),
    },
  },
  operators: {
    empty: () => say("No API keys yet. The participant's systems need a sandbox key first, then a production key."),
    columns: (now) => [
      { head: say("Environment"), cell: ({ environment }) => <Environment of={environment} /> },
      { head: say("State"), cell: ({ state }) => <State of={operatorStates[state]} /> },
      { head: say("Last used"), cell: ({ last_used_at }) => ago(last_used_at, now) },
      { head: say("Issued"), cell: ({ created_at }) => <DayAndClock at={created_at} />, wide: true },
      {
        head: say("Expires"),
        cell: ({ expires_at }) => (expires_at === null ? say("never") : <DayAndClock at={expires_at} />),
        wide: true,
      },
      { head: say("Id"), cell: ({ id }) => <code className="text-muted">{id}</code>, wide: true },
    ],
    revoke: {
      action: say("Revoke"),
      look: "danger",
      body: () =>
        say(
          "Systems that use it are rejected immediately. This cannot be undone. If systems still need access, issue a new key first.",
        ),
    },
  },
};

const Revoke = ({ scope, apiKey }: { readonly scope: KeyScope; readonly apiKey: ApiKey }) => {
  const [isOver, setOver] = useState(false);
  if (isOver || !isRevocable(apiKey)) return null;
  const { action, look, body } = views[scope.side].revoke;
  return (
    <CutOffButton
      label={say("Revoke")}
      title={say("Revoke this key?")}
      action={action}
      look={look}
      run={(isConfirmed) => scope.revoke(apiKey.id, isConfirmed)}
      done={say("Key revoked.")}
      after={() => setOver(true)}
    >
      {body(apiKey)}
    </CutOffButton>
  );
};
