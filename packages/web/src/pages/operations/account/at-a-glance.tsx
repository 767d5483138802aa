import { MAX_PAGE } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOperatorList } from "../../../api/use-call.js";
import { count } from "../../../format/quantity.js";
import { isInUse } from "../../../rules/key.js";
import { Button } from "../../../ui/button.js";
import { Figure, Figures } from "../../../ui/card.js";
import type { Listed } from "../../../ui/listed.js";
import { sayParts } from "../../../ui/say-parts.js";

const route = getRouteApi("/operations/accounts/$id");

/** Figures of an account, and what it lacks to be notified of dispatches. */
export const AtAGlance = ({ accountId }: { readonly accountId: string }) => {
  const input = { params: { id: accountId }, query: { limit: MAX_PAGE } };
  const sites = useOperatorList("/accounts/{id}/sites", input);
  const keys = useOperatorList("/accounts/{id}/keys", input);
  const webhooks = useOperatorList("/accounts/{id}/webhooks", input);
  const vens = useOperatorList("/accounts/{id}/vens", input);
  const contacts = useOperatorList("/accounts/{id}/contacts", input);
  const active = keys.items.filter(isInUse);
  const hears = active.length + webhooks.items.length + vens.items.length > 0;
  const lacksWay =
    hears || keys.isPending || webhooks.isPending || vens.isPending ? null : say("No channel to receive dispatches");
  return (
    <Figures>
      <Count tab="sites" label={say("Sites")} of={sites} lacks={say("No sites to dispatch yet")} />
      <Count tab="keys" label={say("Active keys")} of={{ ...keys, items: active }} lacks={lacksWay} />
      <Count tab="webhooks" label={say("Webhooks")} of={webhooks} lacks={null} />
      <Count tab="vens" label={say("VENs")} of={vens} lacks={null} />
      <Count
        tab="contacts"
        label={say("Dispatch contacts")}
        of={contacts}
        lacks={say("No mail can be sent when webhooks fail")}
      />
    </Figures>
  );
};

const Count = ({
  tab,
  label,
  of: { items, isPending, more },
  lacks,
}: {
  readonly tab: string;
  readonly label: string;
  readonly of: Listed<unknown>;
  /** Why a figure of zero is a problem; null if it is not. */
  readonly lacks: string | null;
}) => {
  const isLacking = !isPending && items.length === 0 && lacks !== null;
  return (
    <Figure
      label={label}
      value={isPending ? "…" : `${count(items.length)}${more === null ? "" : "+"}`}
      tone={isLacking ? "warn" : "ink"}
      hint={
        <>
          {isLacking && <div>{lacks}</div>}
          <Look at={tab}>
            {sayParts("Show<hidden> {label}</hidden>", {
              label,
              hidden: (inside) => <span className="sr-only">{inside}</span>,
            })}
          </Look>
        </>
      }
    />
  );
};

const Look = ({ at, children }: { readonly at: string; readonly children: ReactNode }) => {
  const navigate = route.useNavigate();
  return (
    <span className="-ml-3">
      <Button look="quiet" onClick={() => void navigate({ search: { tab: at } })}>
        {children}
      </Button>
    </span>
  );
};
