import type { operator } from "@curtail/contract";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { User } from "../domain/user.js";
import type { Invited } from "../operations/invite-users.js";

export const userToWire = (user: User): operator.User => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  account_id: user.accountId,
  has_password: user.hasPassword,
  has_totp: user.hasTotp,
  disabled: user.disabled,
  created_at: formatTimestamp(user.createdAt),
});

export const invitationToWire = ({ token, expiresAt }: Invited, publicUrl: string) => ({
  invitation_url: `${publicUrl}/invitation/${token}`,
  invitation_expires_at: formatTimestamp(expiresAt),
});
