import type { operator } from "@curtail/contract";

/** Whether somebody signs in: may not, was invited and has not accepted yet, or does. */
export const userState = ({
  disabled,
  has_password,
}: Pick<operator.User, "disabled" | "has_password">): "disabled" | "invited" | "active" => {
  if (disabled) return "disabled";
  return has_password ? "active" : "invited";
};
