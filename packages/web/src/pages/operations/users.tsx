import { useUser } from "../../api/session.js";
import { mayWriteUsers } from "../../rules/role.js";
import { PageHead } from "../../ui/card.js";
import { EverybodyCard } from "./users/users-card.js";

/** Everybody who signs in. */
export const UsersPage = () => (
  <>
    <PageHead
      title="Users"
      lead={
        mayWriteUsers(useUser())
          ? "Who signs in: operators, and the participants' people."
          : "Who signs in. Administrators change them."
      }
    />
    <EverybodyCard />
  </>
);
