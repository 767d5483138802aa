import { say } from "@curtail/words/page";
import { useState } from "react";
import { count } from "../../../format/quantity.js";
import { type Changed, differences } from "../../../rules/difference.js";
import { Button } from "../../../ui/button.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { memberWords } from "./member-words.js";
import { valueText } from "./value-text.js";

const FEW = 5;

interface Change {
  readonly kind: string;
  readonly before: object | null;
  readonly after: object | null;
}

/** Changed members, before and after. */
export const ChangeList = ({ kind, before, after }: Change) => {
  const [all, setAll] = useState(false);
  const timeZone = usePageZone();
  const changed = differences(before, after)
    .map((each) => inWords(each, kind, timeZone))
    .filter(({ from, to }) => from !== to);
  if (changed.length === 0) return null;
  const rows = all ? changed : changed.slice(0, FEW);
  return (
    <div className="grid content-start gap-1">
      <dl className="grid gap-1">
        {rows.map(({ path, from, to }) => (
          <div key={path.join(".")}>
            <dt className="inline text-muted">{memberWords(path)}: </dt>
            <dd className="inline break-words">
              <FromTo from={from} to={to} />
            </dd>
          </div>
        ))}
      </dl>
      {changed.length > FEW && (
        <div>
          <Button look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? say("Show fewer") : say("Show all {n}", { n: count(changed.length) })}
          </Button>
        </div>
      )}
    </div>
  );
};

/** A dash for what was set to nothing, or before it was set; null where there was no such member. */
const inWords = ({ path, before, after }: Changed, kind: string, timeZone: string) => {
  const [from, to] = [before, after].map((value) => valueText(value, [kind, ...path], timeZone));
  return {
    path,
    from: from ?? (before === undefined || to === null ? null : "–"),
    to: to ?? (after === undefined || from === null ? null : "–"),
  };
};

const FromTo = ({ from, to }: { readonly from: string | null; readonly to: string | null }) => {
  if (from === null) return <ins className="break-all text-good no-underline">{to}</ins>;
  if (to === null) return <del className="break-all text-bad">{from}</del>;
  return (
    <>
      <del className="break-all text-bad">{from}</del> → <ins className="break-all text-good no-underline">{to}</ins>
    </>
  );
};
