import { say } from "@curtail/words/page";
import { useState } from "react";
import { count } from "../../../format/quantity.js";
import { differences } from "../../../rules/difference.js";
import { Button } from "../../../ui/button.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { memberWords } from "./member-words.js";
import { changeTexts } from "./value-text.js";

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
    .map((each) => changeTexts(each, kind, timeZone))
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

const FromTo = ({ from, to }: { readonly from: string | null; readonly to: string | null }) => {
  if (from === null) return <ins className="break-all text-good no-underline">{to}</ins>;
  if (to === null) return <del className="break-all text-bad">{from}</del>;
  return (
    <>
      <del className="break-all text-bad">{from}</del> → <ins className="break-all text-good no-underline">{to}</ins>
    </>
  );
};
