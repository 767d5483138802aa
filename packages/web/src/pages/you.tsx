import { say } from "@curtail/words/page";
import { useMutation } from "@tanstack/react-query";
import { callAuth } from "../api/call.js";
import { type Session, useRecoveryCodesLeft, useSignOut, useUser } from "../api/session.js";
import { useAuthList } from "../api/use-call.js";
import { useChange } from "../api/use-change.js";
import { ago } from "../format/time.js";
import { roleWords } from "../parts/role-words.js";
import { Badge } from "../ui/badge.js";
import { Button } from "../ui/button.js";
import { Card, Facts, PageHead, Stack } from "../ui/card.js";
import { ConfirmButton } from "../ui/dialog-button.js";
import { Exact } from "../ui/page-zone.js";
import { ListTable } from "../ui/table.js";
import { useNow } from "../ui/use-now.js";
import { Authenticator } from "./you/authenticator.js";
import { Calendars } from "./you/calendar.js";
import { OwnLanguage } from "./you/language.js";
import { Notifications } from "./you/notifications.js";
import { Password } from "./you/password.js";

/** The signed-in user: profile, credentials and sessions. */
export const YouPage = () => {
  const user = useUser();
  const codesLeft = useRecoveryCodesLeft();
  return (
    <>
      <PageHead title={say("You")} lead={user.email} />
      <Stack>
        <Card title={say("Profile")}>
          <Facts
            facts={[
              [say("Name"), user.name],
              [say("Email"), user.email],
              [say("Role"), roleWords[user.role]],
              [say("Created"), <Exact key="created" at={user.created_at} />],
            ]}
          />
        </Card>
        <OwnLanguage />
        <Notifications />
        {user.has_password && <Password />}
        {user.has_password && <Authenticator isOn={user.has_totp} codesLeft={codesLeft} />}
        <Calendars />
        <Sessions />
      </Stack>
    </>
  );
};

const SignOutEverywhere = () => {
  const end = useMutation({ mutationFn: useSignOut("/sign-out-everywhere") });
  return (
    <ConfirmButton
      label={say("Sign out everywhere")}
      title={say("Sign out everywhere?")}
      look="danger"
      run={() => end.mutate()}
      busy={end.isPending}
    >
      {say("All your sessions end immediately, including this one. Sign in again with your password.")}
    </ConfirmButton>
  );
};

const Sessions = () => {
  const now = useNow();
  const end = useChange((id: string) => callAuth("DELETE", "/sessions/{id}", { params: { id } }), {
    done: say("Session ended."),
  });
  return (
    <Card title={say("Your sessions")} actions={<SignOutEverywhere />} flush>
      <ListTable<Session>
        label={say("Sessions")}
        list={useAuthList("/sessions", {})}
        keyOf={({ id }) => id}
        empty={say("No sessions.")}
        columns={[
          { head: say("Browser"), cell: ({ user_agent }) => <span className="break-all">{user_agent}</span> },
          { head: say("Address"), cell: ({ address }) => address, wide: true },
          { head: say("Last used"), cell: ({ last_seen_at }) => ago(last_seen_at, now) },
          {
            head: say("Action"),
            cell: ({ id, is_current }) =>
              is_current ? (
                <Badge tone="accent">{say("This session")}</Badge>
              ) : (
                <Button onClick={() => end.run(id)}>{say("End", {}, "verb")}</Button>
              ),
          },
        ]}
      />
    </Card>
  );
};
