import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { useHint, useUser } from "../api/session.js";
import { Button, ButtonLink } from "../ui/button.js";
import { usePushOffer } from "./use-push-offer.js";

/** On the first page of a side: one offer at a time, until it is taken or declined. */
export const Offers = () => {
  const push = usePushOffer();
  if (push === null) return <AuthenticatorOffer />;
  return (
    <Offer
      label={say("Notifications")}
      title={say("Know of a dispatch at once.")}
      onDecline={push.decline}
      why={push.error ?? say("This browser can notify you of dispatches and changes, also while no page is open.")}
    >
      <Button onClick={push.turnOn} busy={push.isPending && say("Turning on…")}>
        {say("Turn on notifications")}
      </Button>
    </Offer>
  );
};

/** An authenticator app, until it is set up. */
const AuthenticatorOffer = () => {
  const { has_password, has_totp } = useUser();
  const { isDismissed, dismiss } = useHint("authenticator");
  if (!has_password || has_totp || isDismissed) return null;
  return (
    <Offer
      label={say("Authenticator app")}
      title={say("Protect your sign-in.")}
      onDecline={() => void dismiss(true)}
      why={say("With an authenticator app on your phone, a stolen password is not enough.")}
    >
      <ButtonLink to="/you">{say("Set up")}</ButtonLink>
    </Offer>
  );
};

/** On phones it is below the page, which may show a dispatch. */
const Offer = ({
  label,
  title,
  why,
  onDecline,
  children,
}: {
  readonly label: string;
  readonly title: string;
  readonly why: string;
  readonly onDecline: () => void;
  readonly children: ReactNode;
}) => (
  <section
    aria-label={label}
    className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl bg-surface px-4 py-2.5 ring-1 ring-line max-md:order-last max-md:mt-4 md:mb-4"
  >
    <p className="min-w-0 flex-1 basis-72">
      <span className="font-semibold">{title}</span> <span className="text-muted">{why}</span>
    </p>
    <span className="flex flex-wrap gap-2">
      <Button onClick={onDecline}>{say("Not now")}</Button>
      {children}
    </span>
  </section>
);
