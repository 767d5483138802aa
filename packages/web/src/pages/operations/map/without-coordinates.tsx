import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { power } from "../../../format/quantity.js";
import { Card } from "../../../ui/card.js";
import { sayParts } from "../../../ui/say-parts.js";
import { Empty } from "../../../ui/state.js";
import { TextLink } from "../../../ui/text-link.js";
import type { Dispatch } from "../dispatch/dispatch.js";

/** How many sites are not on the map, and where they are listed. */
export const WithoutCoordinates = ({
  count,
  lack,
  of,
}: {
  readonly count: number;
  /** What they lack. */
  readonly lack: { readonly sites: number; readonly kw: number };
  readonly of: Dispatch | null;
}) => {
  if (count === 0) return null;
  const words =
    lack.sites === 0
      ? say("{count, plural, one {# site has} other {# sites have}} no coordinates.", { count })
      : say(
          "{count, plural, one {# site has} other {# sites have}} no coordinates; {short, plural, one {# of them is} other {# of them are}} {kw} short.",
          { count, short: lack.sites, kw: power(lack.kw) },
        );
  return (
    <p className="border-t border-line px-4 py-2 text-sm text-muted">
      {words}{" "}
      {of === null ? (
        <TextLink to="/operations/sites" search={{ located: "no" }}>
          {say("Show them", {}, "sites")}
        </TextLink>
      ) : (
        <TextLink to="/operations/dispatches/$id" params={{ id: of.id }}>
          {say("All sites of the dispatch")}
        </TextLink>
      )}
    </p>
  );
};

/** In place of a map without a point. */
export const NoCoordinates = ({ without }: { readonly without: number }) => (
  <Card>
    <Empty>
      {without === 0
        ? sayParts("No sites yet. Add them on the page of their account, or <a>import a file</a>.", {
            a: (inside: ReactNode) => <TextLink to="/operations/import">{inside}</TextLink>,
          })
        : sayParts(
            "No site has coordinates yet. Enter them on the page of <a>a site</a>, or <b>import a file</b> with the columns latitude and longitude.",
            {
              a: (inside: ReactNode) => (
                <TextLink to="/operations/sites" search={{ located: "no" }}>
                  {inside}
                </TextLink>
              ),
              b: (inside: ReactNode) => <TextLink to="/operations/import">{inside}</TextLink>,
            },
          )}
    </Empty>
  </Card>
);
