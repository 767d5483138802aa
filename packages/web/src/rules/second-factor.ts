import { TOTP_DIGITS } from "@curtail/contract/constants";

const isTotp = new RegExp(`^\\d{${TOTP_DIGITS}}$`);

/** Six digits are a code of the app; anything else is a recovery code. */
export const codeOf = (typed: string): { readonly totp?: string; readonly recovery_code?: string } => {
  const code = typed.trim();
  if (code === "") return {};
  return isTotp.test(code) ? { totp: code } : { recovery_code: code };
};
