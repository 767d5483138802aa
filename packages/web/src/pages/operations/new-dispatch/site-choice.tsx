import { say } from "@curtail/words/page";
import { useState } from "react";
import { byName } from "../../../format/name-order.js";
import { count, power } from "../../../format/quantity.js";
import { calledSites, type DispatchableSite, type DispatchDraft, type Filling } from "../../../rules/dispatch-draft.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Field, Select } from "../../../ui/field.js";
import { useShownPart } from "../../../ui/shown-part.js";
import { Empty } from "../../../ui/state.js";

/** Selects the sites to dispatch. */
export const SiteChoice = ({ draft, onChange, sites }: Filling & { readonly sites: readonly DispatchableSite[] }) => {
  if (sites.length === 0)
    return (
      <Card title={say("Sites")}>
        <Empty>{say("No sites are enrolled in this program. Enrol sites with their commitments first.")}</Empty>
      </Card>
    );
  return (
    <Card title={say("Sites")}>
      <div className="grid gap-3 md:grid-cols-2">
        <Select
          label={say("Sites to dispatch")}
          value={draft.sites}
          choices={[
            { value: "all", label: say("All enrolled sites ({n})", { n: sites.length }) },
            { value: "group", label: say("A dispatch group") },
            { value: "chosen", label: say("Selected sites") },
          ]}
          onChange={(event) => onChange({ ...draft, sites: event.target.value as DispatchDraft["sites"] })}
        />
        {draft.sites === "group" && <GroupChoice {...{ draft, onChange, sites }} />}
      </div>
      <SiteList {...{ draft, onChange, sites }} />
    </Card>
  );
};

const GroupChoice = ({ draft, onChange, sites }: Filling & { readonly sites: readonly DispatchableSite[] }) => {
  const groups = [...new Set(sites.map(({ group }) => group))].toSorted(byName);
  return (
    <Select
      label={say("Dispatch group")}
      value={draft.group}
      choices={groups.map((group) => ({ value: group, label: group === "" ? say("(no group)") : group }))}
      onChange={(event) => onChange({ ...draft, group: event.target.value })}
    />
  );
};

const SiteList = ({ draft, onChange, sites }: Filling & { readonly sites: readonly DispatchableSite[] }) => {
  const [search, setSearch] = useState("");
  const listed = draft.sites === "chosen" ? sites : calledSites(draft, sites);
  const found = listed.filter((site) => isFound(site, search));
  const part = useShownPart(found);
  const choose = (ids: Iterable<string>) => onChange({ ...draft, chosen: new Set(ids) });
  return (
    <div className="mt-3">
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-56 flex-1">
          <Field
            label={say("Search sites")}
            type="search"
            value={search}
            placeholder={say("Name, account or group")}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        {draft.sites === "chosen" && (
          <div className="mb-1 flex gap-2">
            <Button onClick={() => choose([...draft.chosen, ...found.map(({ id }) => id)])}>
              {say("Select these {n}", { n: found.length })}
            </Button>
            <Button onClick={() => choose([])}>{say("Clear selection")}</Button>
          </div>
        )}
      </div>
      {/* Focusable, so that the keyboard can scroll it even without checkboxes. */}
      <div
        className="mt-1 max-h-96 overflow-y-auto rounded-lg ring-1 ring-line"
        role="region"
        aria-label={say("Sites")}
        tabIndex={0}
      >
        <ul className="divide-y divide-line" aria-label={say("Sites")}>
          {part.shown.map((site) => (
            <SiteRow key={site.id} {...{ site, draft, choose }} />
          ))}
        </ul>
      </div>
      {found.length === 0 && <Empty>{say("No matching sites.")}</Empty>}
      {part.more !== null && (
        <div className="mt-2 flex items-center gap-3 text-sm text-muted">
          {say("{shown} of {all} are shown.", { shown: count(part.shown.length), all: count(part.total) })}
          <Button onClick={part.more}>{say("Show more")}</Button>
        </div>
      )}
    </div>
  );
};

const isFound = ({ name, account, group, id }: DispatchableSite, search: string): boolean =>
  `${name} ${account} ${group} ${id}`.toLowerCase().includes(search.trim().toLowerCase());

const SiteRow = ({
  site,
  draft: { sites, chosen },
  choose,
}: {
  readonly site: DispatchableSite;
  readonly draft: DispatchDraft;
  readonly choose: (ids: Iterable<string>) => void;
}) => {
  const text = (
    <span className="flex min-w-0 flex-1 flex-wrap justify-between gap-x-4 py-1.5">
      <span className="min-w-0">
        {site.name}
        <span className="block text-sm text-muted">
          {[site.account, site.group].filter((part) => part !== "").join(" · ")}
        </span>
      </span>
      <span className="whitespace-nowrap">
        {site.commitmentKw === null ? say("no commitment") : power(site.commitmentKw)}
      </span>
    </span>
  );
  if (sites !== "chosen") return <li className="px-3">{text}</li>;
  const others = [...chosen].filter((id) => id !== site.id);
  return (
    <li>
      <label className="flex items-center gap-3 px-3 hover:bg-sunken/60">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={chosen.has(site.id)}
          onChange={(event) => choose(event.target.checked ? [...others, site.id] : others)}
        />
        {text}
      </label>
    </li>
  );
};
