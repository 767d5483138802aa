import { say } from "@curtail/words/page";
import { useUser } from "../../api/session.js";
import { mayWriteUsers } from "../../rules/role.js";
import { PageHead } from "../../ui/card.js";
import { EverybodyCard } from "./users/users-card.js";

/** All users. */
export const UsersPage = () => (
  <>
    <PageHead
      title={say("Users")}
      lead={
        mayWriteUsers(useUser())
          ? say("Users who can sign in: operators and participants.")
          : say("Users who can sign in. Only administrators can change them.")
      }
    />
    <EverybodyCard />
  </>
);
