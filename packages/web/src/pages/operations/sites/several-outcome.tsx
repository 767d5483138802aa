import { say } from "@curtail/words/page";
import { type Outcome, reasonWords } from "../../../rules/several-sites.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";

/** Which sites were enrolled or withdrawn, and why others were not. */
export const SeveralOutcome = ({
  of: { done, skipped },
  sites,
  verb,
  onDone,
}: {
  readonly of: Outcome;
  readonly sites: readonly { readonly id: string; readonly name: string }[];
  readonly verb: "enrol" | "withdraw";
  readonly onDone: () => void;
}) => {
  const names = new Map(sites.map(({ id, name }) => [id, name]));
  return (
    <div className="grid gap-3">
      <p role="status" className="font-medium">
        {verb === "enrol"
          ? say("{n, plural, one {# site was} other {# sites were}} enrolled.", { n: done.length })
          : say("{n, plural, one {# site was} other {# sites were}} withdrawn.", { n: done.length })}
      </p>
      {skipped.length > 0 && (
        <>
          <p>{say("{n, plural, one {# site was} other {# sites were}} left as before:", { n: skipped.length })}</p>
          <ul
            className="max-h-60 list-disc overflow-y-auto rounded-lg py-1 pl-6 ring-1 ring-line"
            aria-label={say("Sites left as before")}
            // Focusable, so that the keyboard can scroll it.
            tabIndex={0}
          >
            {skipped.map(({ site_id, reason }) => (
              <li key={site_id}>
                {names.get(site_id) ?? site_id}: <span className="text-muted">{reasonWords[reason]}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <Actions>
        <Button look="primary" onClick={onDone}>
          {say("Done")}
        </Button>
      </Actions>
    </div>
  );
};
