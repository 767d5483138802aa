import { useHint, useUser } from "../api/session.js";
import { Button, ButtonLink } from "../ui/button.js";

/**
 * On the first page of a side: offers an authenticator app until it is set up or declined. On phones it is below the
 * page, which may show a dispatch.
 */
export const AuthenticatorOffer = () => {
  const { has_password, has_totp } = useUser();
  const { isDismissed, dismiss } = useHint("authenticator");
  if (!has_password || has_totp || isDismissed) return null;
  return (
    <section
      aria-label="Authenticator app"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl bg-surface px-4 py-2.5 ring-1 ring-line max-md:order-last max-md:mt-4 md:mb-4"
    >
      <p className="min-w-0 flex-1 basis-72">
        <span className="font-semibold">Protect your sign-in.</span>{" "}
        <span className="text-muted">With an authenticator app on your phone, a stolen password is not enough.</span>
      </p>
      <span className="flex flex-wrap gap-2">
        <Button onClick={() => void dismiss(true)}>Not now</Button>
        <ButtonLink to="/you">Set up</ButtonLink>
      </span>
    </section>
  );
};
