import { say } from "@curtail/words/page";
import { useState } from "react";
import { useOperatorList } from "../../../api/use-call.js";
import { Button } from "../../../ui/button.js";
import { TextFilter } from "../../../ui/filters.js";
import { ListTable } from "../../../ui/table.js";

/** Searches all sites by name, location id or id. */
export const SitePicker = ({
  onPick,
}: {
  readonly onPick: (site: { readonly id: string; readonly name: string }) => void;
}) => {
  const [search, setSearch] = useState("");
  const query = search === "" ? { limit: 10 } : { limit: 10, search };
  return (
    <div className="grid gap-2">
      <TextFilter
        label={say("Search")}
        placeholder={say("Name, location id or id")}
        value={search}
        onChange={setSearch}
      />
      <ListTable
        label={say("Available sites")}
        list={useOperatorList("/sites", { query })}
        keyOf={({ id }) => id}
        empty={search === "" ? say("No sites yet. Add them on the page of their account.") : say("No matching sites.")}
        columns={[
          {
            head: say("Site"),
            cell: ({ name, account_name }) => (
              <>
                {name} <div className="text-muted">{account_name}</div>
              </>
            ),
          },
          { head: say("Location id"), cell: ({ customer_location_id }) => customer_location_id || "–", wide: true },
          {
            head: say("Action"),
            cell: ({ id, name }) => (
              <Button aria-label={say("Choose {name}", { name })} onClick={() => onPick({ id, name })}>
                {say("Choose")}
              </Button>
            ),
          },
        ]}
      />
    </div>
  );
};
