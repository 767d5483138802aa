import { say } from "@curtail/words/page";
import { lastReadingOf } from "../../../rules/last-reading.js";
import { Button } from "../../../ui/button.js";
import type { Site } from "./site-columns.js";
import { useDisplay } from "./use-display.js";

/** Offers data visibility once the site has sent readings. */
export const DisplayOffer = ({ site, writes }: { readonly site: Site; readonly writes: boolean }) => {
  const display = useDisplay(site.id);
  if (!writes || site.display_enabled || lastReadingOf(site) === null) return null;
  return (
    <section
      aria-label={say("Data visibility")}
      className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl bg-info-soft px-4 py-2.5"
    >
      <p className="min-w-0 flex-1 basis-72 text-info">
        <strong>{say("This site sends readings.")}</strong> {say("Users of the account do not see them yet.")}
      </p>
      <Button look="primary" onClick={() => display.run(true)} busy={display.isPending && say("One moment…")}>
        {say("Make visible")}
      </Button>
    </section>
  );
};
