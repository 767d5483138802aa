import type { auth } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useQuery } from "@tanstack/react-query";
import { callAuth } from "../../api/call.js";
import { endHere, registeredHere, supportHere, turnOnHere, wantsPush } from "../../api/push.js";
import { useSignedIn } from "../../api/session.js";
import { useChange } from "../../api/use-change.js";
import { ago } from "../../format/time.js";
import { endingWords } from "../../parts/webhook-outcome.js";
import { browserWords } from "../../rules/browser-name.js";
import { supportWords } from "../../rules/push-support.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Card } from "../../ui/card.js";
import { Answered } from "../../ui/state.js";
import { Table } from "../../ui/table.js";
import { useNow } from "../../ui/use-now.js";

type Registered = auth.PushSubscription;
type Preferences = auth.NoticePreferences;

/** Browsers that show notifications to the user, and turning them on in this one. */
export const Browsers = ({ preferences }: { readonly preferences: Preferences }) => {
  const here = useQuery({ queryKey: ["/auth", "registered here"], queryFn: registeredHere });
  const list = useQuery({
    queryKey: ["/auth", "/push-subscriptions"],
    queryFn: () => callAuth("GET", "/push-subscriptions", {}),
  });
  const isOn = list.data?.items.some(({ id }) => id === here.data) ?? false;
  return (
    <Card
      title={say("Browsers that notify you")}
      actions={
        isOn ? <Badge tone="good">{say("On in this browser")}</Badge> : <Badge>{say("Off in this browser")}</Badge>
      }
      flush
    >
      {!isOn && <TurnOn />}
      {isOn && !wantsPush(preferences) && (
        <p className="px-4 pb-3 text-warn">
          {say("Nothing is chosen for browsers yet: tick what to be notified of in the column “Browser” above.")}
        </p>
      )}
      <Answered of={list}>
        {({ items }) => items.length > 0 && <List items={items} here={here.data ?? null} />}
      </Answered>
    </Card>
  );
};

const TurnOn = () => {
  const { user, session } = useSignedIn();
  const support = supportHere();
  const turnOn = useChange(() => turnOnHere({ userId: user.id, sessionId: session.id }), {
    done: say("Notifications are on in this browser."),
  });
  if (support !== "ready") return <p className="px-4 pb-4 text-muted">{supportWords[support]}</p>;
  return (
    <div className="grid justify-items-start gap-3 px-4 pb-4">
      <p className="text-muted">
        {say(
          "A dispatch then appears on this device within seconds, also while no page is open. The browser asks for permission first.",
        )}
      </p>
      <Button look="primary" onClick={() => turnOn.run(undefined)} busy={turnOn.isPending && say("Turning on…")}>
        {say("Turn on in this browser")}
      </Button>
    </div>
  );
};

const List = ({ items, here }: { readonly items: readonly Registered[]; readonly here: string | null }) => {
  const now = useNow();
  const test = useChange((id: string) => callAuth("POST", "/push-subscriptions/{id}/test", { params: { id } }), {
    done: testWords,
  });
  const remove = useChange(async (id: string) => {
    await callAuth("DELETE", "/push-subscriptions/{id}", { params: { id } });
    if (id === here) await endHere();
  });
  return (
    <Table<Registered>
      label={say("Browsers that notify you")}
      rows={items}
      keyOf={({ id }) => id}
      empty={say("No browsers.")}
      columns={[
        {
          head: say("Browser"),
          cell: ({ id, name }) => (
            <span className="inline-flex flex-wrap items-center gap-2">
              {browserWords(name)} {id === here && <Badge tone="accent">{say("This browser")}</Badge>}
            </span>
          ),
        },
        { head: say("Registered"), cell: ({ created_at }) => ago(created_at, now), wide: true },
        { head: say("Last notified"), cell: (each) => <LastNotified of={each} now={now} /> },
        {
          head: say("Action"),
          cell: ({ id, name }) => (
            <span className="flex flex-wrap gap-2 lg:flex-nowrap">
              <Button
                onClick={() => test.run(id)}
                disabled={test.isPending}
                aria-label={say("Send a test to {name}", { name: browserWords(name) })}
              >
                {say("Test", {}, "verb")}
              </Button>
              <Button
                onClick={() => remove.run(id)}
                disabled={remove.isPending}
                aria-label={say("Remove {name}", { name: browserWords(name) })}
              >
                {say("Remove")}
              </Button>
            </span>
          ),
        },
      ]}
    />
  );
};

const LastNotified = ({ of, now }: { readonly of: Registered; readonly now: Date }) => (
  <>
    {ago(of.last_success_at, now)}
    {of.last_error !== null && (
      <span className="block text-bad">{say("Last attempt failed: {why}", { why: errorWords(of.last_error) })}</span>
    )}
  </>
);

const testWords = ({
  ok,
  error,
  is_removed,
}: {
  readonly ok: boolean;
  readonly error: string | null;
  readonly is_removed: boolean;
}) => {
  if (ok) return say("Test sent. It appears within seconds, unless the device is offline or silenced.");
  return is_removed
    ? say("This browser is gone, so it was removed.")
    : say("The test failed: {why}.", { why: errorWords(error ?? "") });
};

/** `no answer in time`, `answered 503`. */
const errorWords = (error: string): string => {
  const [, status] = /^status_(\d+)$/.exec(error) ?? [];
  return endingWords({ error, status: status === undefined ? null : Number(status) });
};
