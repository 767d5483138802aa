import type { operator } from "@curtail/contract";

/** Whether a user is disabled, has not accepted the invitation yet, or can sign in. */
export const userState = ({
  disabled,
  has_password,
}: Pick<operator.User, "disabled" | "has_password">): "disabled" | "invited" | "active" => {
  if (disabled) return "disabled";
  return has_password ? "active" : "invited";
};
