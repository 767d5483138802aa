import { say } from "@curtail/words/page";
import { useEffect, useEffectEvent, useState } from "react";
import { useWhole } from "../../../api/use-whole.js";
import { count } from "../../../format/quantity.js";
import { Button } from "../../../ui/button.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import type { Listed } from "../../../ui/listed.js";
import { SeveralSites } from "./several-sites.js";

interface Named {
  readonly id: string;
  readonly name: string;
}

type Chosen = ReadonlySet<string>;

/** What can be done with the selected sites; without a selection, how to make one. */
export const Selection = ({
  list,
  chosen,
  onChoose,
}: {
  readonly list: Listed<Named>;
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
}) => {
  const [isAll, setAll] = useState(false);
  const clear = () => onChoose(new Set());
  const choose = (all: Chosen) => {
    setAll(false);
    onChoose(all);
  };
  const sites = list.items.filter(({ id }) => chosen.has(id));
  return (
    <div className="flex min-h-13 flex-wrap items-center gap-2 border-t border-line px-4 py-2">
      <span role="status" className="mr-auto text-muted">
        {sites.length === 0
          ? say("Select sites to enrol or withdraw them together.")
          : say("{n, plural, one {# site} other {# sites}} selected", { n: sites.length })}
      </span>
      {isAll && <All list={list} onLoaded={choose} />}
      {(sites.length < list.items.length || list.more !== null) && (
        <Button onClick={() => setAll(true)} busy={isAll && say("Selecting…")}>
          {list.more === null ? say("Select all {n}", { n: count(list.items.length) }) : say("Select all")}
        </Button>
      )}
      {sites.length > 0 && (
        <>
          <Button onClick={clear}>{say("Clear", {}, "selection")}</Button>
          <DialogButton
            label={say("Enrol")}
            title={say("Enrol {n, plural, one {# site} other {# sites}}", { n: sites.length })}
            look="primary"
          >
            {(close) => <SeveralSites sites={sites} verb="enrol" onDone={close} />}
          </DialogButton>
          <DialogButton
            label={say("Withdraw")}
            title={say("Withdraw {n, plural, one {# site} other {# sites}}", { n: sites.length })}
          >
            {(close) => <SeveralSites sites={sites} verb="withdraw" onDone={close} />}
          </DialogButton>
        </>
      )}
    </div>
  );
};

/** Loads the sites that are not shown yet: all of them match the filters. */
const All = ({ list, onLoaded }: { readonly list: Listed<Named>; readonly onLoaded: (all: Chosen) => void }) => {
  const { items, isWhole } = useWhole(list);
  const loaded = useEffectEvent(onLoaded);
  useEffect(() => {
    if (isWhole) loaded(new Set(items.map(({ id }) => id)));
  }, [isWhole, items]);
  return null;
};
