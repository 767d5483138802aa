import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import type { User } from "../../../api/session.js";
import { nextDay, startOfDay } from "../../../format/local-time.js";
import { OWN_ZONE } from "../../../format/time.js";
import { Field, Select } from "../../../ui/field.js";
import { Filters, TextFilter } from "../../../ui/filters.js";
import { useAccounts } from "../use-accounts.js";
import { actionChoices } from "./words.js";

const route = getRouteApi("/operations/audit");

/** The query of the address for the service; days are whole days in the viewer's time zone. */
export const useAuditQuery = () => {
  const { account, actor, action, subject, from, to } = route.useSearch();
  const start = from === undefined ? null : startOfDay(from, OWN_ZONE);
  const end = to === undefined ? null : startOfDay(nextDay(to), OWN_ZONE);
  return {
    ...(account === undefined ? {} : { account_id: account }),
    ...(actor === undefined ? {} : { actor }),
    ...(action === undefined ? {} : { action }),
    ...(subject === undefined ? {} : { subject }),
    ...(start === null ? {} : { from: start.toISOString() }),
    ...(end === null ? {} : { to: end.toISOString() }),
  };
};

export const AuditFilters = ({ users }: { readonly users: readonly User[] }) => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { items: accounts } = useAccounts();
  const filter = (change: Partial<Record<"account" | "actor" | "action" | "subject" | "from" | "to", string>>) =>
    void navigate({ search: { ...search, ...change }, replace: true, resetScroll: false });
  return (
    <Filters>
      <Select
        label={say("Who")}
        choices={[
          { value: "", label: say("Anyone") },
          { value: "operator", label: say("Operator token") },
          { value: "service", label: say("Service") },
          ...users.map(({ id, name }) => ({ value: `user:${id}`, label: name })),
        ]}
        value={search.actor ?? ""}
        onChange={({ target }) => filter({ actor: target.value })}
      />
      <Select
        label={say("What")}
        choices={[{ value: "", label: say("Anything") }, ...actionChoices]}
        value={search.action ?? ""}
        onChange={({ target }) => filter({ action: target.value })}
      />
      <Select
        label={say("Account")}
        choices={[{ value: "", label: say("All") }, ...accounts.map(({ id, name }) => ({ value: id, label: name }))]}
        value={search.account ?? ""}
        onChange={({ target }) => filter({ account: target.value })}
      />
      <TextFilter
        label={say("Id of the object")}
        value={search.subject ?? ""}
        onChange={(subject) => filter({ subject })}
      />
      <Field
        label={say("From", {}, "date")}
        hint={OWN_ZONE}
        type="date"
        value={search.from ?? ""}
        onChange={({ target }) => filter({ from: target.value })}
      />
      <Field
        label={say("To", {}, "date")}
        hint={OWN_ZONE}
        type="date"
        value={search.to ?? ""}
        onChange={({ target }) => filter({ to: target.value })}
      />
    </Filters>
  );
};
