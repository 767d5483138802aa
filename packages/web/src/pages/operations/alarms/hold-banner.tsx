import { say } from "@curtail/words/page";
import { useOperator } from "../../../api/use-call.js";
import { ButtonLink } from "../../../ui/button.js";
import { sayParts } from "../../../ui/say-parts.js";

const ASK_EVERY_MS = 60_000;

/** Above every page of operators while a restored service sends nothing. */
export const HoldBanner = () => {
  const { data } = useOperator("/delivery-hold", {}, { everyMs: ASK_EVERY_MS });
  if (data?.held !== true) return null;
  return (
    <section
      aria-label={say("Delivery")}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 border-b border-line bg-warn-soft px-4 py-1.5 sm:px-6"
    >
      <p role="status" className="min-w-0 flex-1 basis-56 text-warn">
        {sayParts(
          "<b>Delivery is held:</b> this service was restored from a backup and notifies nobody. Release delivery from the alarm.",
          { b: (inside) => <span className="font-semibold">{inside}</span> },
        )}
      </p>
      <ButtonLink to="/operations/alarms" search={{ group: "delivery_held" }}>
        {say("Alarms")}
      </ButtonLink>
    </section>
  );
};
