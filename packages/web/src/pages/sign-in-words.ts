import type { auth } from "@curtail/contract";
import type { SIGN_ON_FAILURES } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";

/** Why a session ended. */
export const endWords: Readonly<Record<NonNullable<auth.SignInOptions["session_end"]>, string>> = {
  expired: say("Your session expired. Sign in again to continue."),
  signed_out_elsewhere: say("You were signed out from another browser. Sign in again to continue."),
  signed_out_by_administrator: say("An administrator signed you out. If you cannot sign in again, ask them."),
  password_changed: say(
    "Your password was changed, which signed you out. If that was not you, contact an administrator immediately.",
  ),
};

const failures: Readonly<Record<keyof typeof SIGN_ON_FAILURES, string>> = {
  "single-sign-on": say("Single sign-on failed. Try again in this browser. If it fails again, ask an administrator."),
  "no-email": say(
    "Your identity provider sent no email address, so this first sign-in was refused. Ask an administrator to have the email added to what the provider sends.",
  ),
  "email-not-verified": say(
    "Your identity provider does not say that your email address is verified, so this first sign-in was refused. Ask an administrator whether emails of this provider can be trusted.",
  ),
  "unknown-email": say("No user with that email may sign in; ask an administrator to invite you."),
  disabled: say("Your user or its account is disabled. Ask an administrator to enable it."),
  "linked-elsewhere": say(
    "The user with your email is linked to another identity at the provider. Ask an administrator to send you a new link, which ends that.",
  ),
  "several-invitations": say("Several accounts have invited you. Open the link in one of the invitations first."),
};

/** Why a single sign-on failed, by the code in the address. */
export const signOnWords: Readonly<Record<string, string>> = failures;
