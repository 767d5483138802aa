import { OneTimeLink } from "./one-time-link.js";

export interface Invitation {
  readonly invitation_url: string;
  readonly invitation_expires_at: string;
}

/** The link with which somebody sets the password, to be passed on. */
export const InvitationLink = ({
  invitation,
  onDone,
}: {
  readonly invitation: Invitation;
  readonly onDone: () => void;
}) => (
  <OneTimeLink url={invitation.invitation_url} expiresAt={invitation.invitation_expires_at} onDone={onDone}>
    Whoever opens this link sets a password, and signs in with it and the email address from then on. A link made before
    does not work any more.
  </OneTimeLink>
);
