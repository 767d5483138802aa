import { say } from "@curtail/words/page";
import { OneTimeLink } from "./one-time-link.js";

export interface Invitation {
  readonly invitation_url: string;
  readonly invitation_expires_at: string;
}

/** The link with which an invited person sets a password. */
export const InvitationLink = ({
  invitation,
  onDone,
}: {
  readonly invitation: Invitation;
  readonly onDone: () => void;
}) => (
  <OneTimeLink url={invitation.invitation_url} expiresAt={invitation.invitation_expires_at} onDone={onDone}>
    {say(
      "The invited user opens this link to set a password, then signs in with it and the email address. Earlier links no longer work.",
    )}
  </OneTimeLink>
);
