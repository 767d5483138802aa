import { requestPath } from "@curtail/client";
import type { operator } from "@curtail/contract";
import { MAX_PAGE } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { OPERATOR } from "../../../api/call.js";
import { useUser } from "../../../api/session.js";
import { useOperator, useOperatorList } from "../../../api/use-call.js";
import { power } from "../../../format/quantity.js";
import { ago } from "../../../format/time.js";
import type { StreamState } from "../../../live/event-stream.js";
import { LiveMark } from "../../../live/live-mark.js";
import { SitePerformanceCards } from "../../../parts/performance-detail.js";
import { stateOf } from "../../../rules/dispatch-state.js";
import { mayWrite } from "../../../rules/role.js";
import { neighboursOf } from "../../../rules/shortfall.js";
import { toldAccounts } from "../../../rules/told-account.js";
import { Card, Stack } from "../../../ui/card.js";
import { Drawer } from "../../../ui/drawer.js";
import { Answered, Empty, Waiting } from "../../../ui/state.js";
import { Table } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";
import { useNow } from "../../../ui/use-now.js";
import { AccountLink } from "../account-link.js";
import { NotifiedByPhone, Phone } from "../phone-call.js";
import { useNotified } from "../use-notified.js";
import { AccountEvidence } from "./account-evidence.js";
import type { Dispatch } from "./dispatch.js";
import type { SiteList } from "./use-site-list.js";

const PATH = "/dispatches/{id}/sites/{site_id}/performance";

interface Of {
  readonly dispatch: Dispatch;
  readonly siteId: string;
}

/** One site of a dispatch: how it was notified, its contacts, its meters, its curve. */
export const SiteDrawer = ({
  dispatch,
  siteId,
  version,
  list,
  stream,
}: Of & {
  readonly version: number | undefined;
  readonly list: StepList;
  /** The drawer covers the mark of the page. */
  readonly stream: StreamState;
}) => {
  const { previous, next, place } = neighboursOf(
    list.found.map(({ site_id }) => site_id),
    siteId,
  );
  const site = dispatch.sites.find(({ id }) => id === siteId);
  const to = (id: string | null) => (id === null ? null : () => list.open(id));
  return (
    <Drawer
      title={site?.name ?? say("Site")}
      mark={stream !== "live" && <LiveMark state={stream} />}
      neighbours={{ previous: to(previous), next: to(next), place }}
      onClose={() => list.open(null)}
    >
      {site === undefined ? (
        <Empty>{say("This dispatch has no such site.")}</Empty>
      ) : (
        <Stack key={siteId}>
          <Account dispatch={dispatch} accountId={site.account_id} siteId={siteId} />
          <Meters siteId={siteId} />
          <Measured dispatch={dispatch} siteId={siteId} version={version} />
        </Stack>
      )}
    </Drawer>
  );
};

const Account = ({ dispatch, accountId }: Of & { readonly accountId: string }) => {
  const contacts = useOperatorList("/accounts/{id}/contacts", { params: { id: accountId } });
  const name = useOperator("/accounts/{id}", { params: { id: accountId } }).data?.name ?? accountId;
  const writes = mayWrite(useUser());
  const state = stateOf(dispatch, useNow());
  const first = contacts.items.find(({ phone }) => phone !== null) ?? contacts.items[0] ?? null;
  const callee = {
    dispatchId: dispatch.id,
    accountId,
    accountName: name,
    modification: dispatch.modification_number,
    contact: first,
  };
  return (
    <Card
      title={<AccountLink id={accountId} name={name} />}
      actions={writes && state !== "over" && <NotifiedByPhone callee={callee} />}
    >
      <Contacts contacts={contacts.items} isPending={contacts.isPending} />
      <Notified dispatch={dispatch} accountId={accountId} name={name} />
    </Card>
  );
};

const Contacts = ({
  contacts,
  isPending,
}: {
  readonly contacts: readonly operator.Contact[];
  readonly isPending: boolean;
}) => {
  if (isPending) return <Waiting />;
  if (contacts.length === 0)
    return <p className="text-muted">{say("No contacts: add one on the page of the account.")}</p>;
  return (
    <ul aria-label={say("Contacts")}>
      {contacts.map((contact) => (
        <li key={contact.id} className="flex flex-wrap gap-x-4">
          <Phone contact={contact} />
          {contact.phone !== null && (
            <a href={`mailto:${contact.email}`} className="text-accent [overflow-wrap:anywhere] hover:underline">
              {contact.email}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
};

const Notified = ({
  dispatch,
  accountId,
  name,
}: {
  readonly dispatch: Dispatch;
  readonly accountId: string;
  readonly name: string;
}) => {
  const query = { account_id: accountId, limit: MAX_PAGE };
  const { items, isPending } = useOperatorList("/dispatches/{id}/evidence", { params: { id: dispatch.id }, query });
  const notNotified = useNotified(dispatch.id)?.notNotified ?? null;
  if (isPending) return <Waiting />;
  const told = toldAccounts(dispatch, { evidence: items, names: new Map([[accountId, name]]), notNotified }).find(
    (each) => each.accountId === accountId,
  );
  return (
    <ul aria-label={say("Notifications")} className="-mx-4 mt-2 border-t border-line">
      {told !== undefined && <AccountEvidence told={told} dispatch={dispatch} isOpen={items.length <= 12} isBrief />}
    </ul>
  );
};

/** The sites that a drawer steps through. */
export interface StepList extends Pick<SiteList, "open"> {
  readonly found: readonly Pick<SiteList["found"][number], "site_id">[];
}

export const Meters = ({ siteId }: { readonly siteId: string }) => {
  const now = useNow();
  return (
    <Card
      title={say("Meters")}
      flush
      actions={
        <TextLink to="/operations/telemetry/$id" params={{ id: siteId }}>
          {say("Telemetry health")}
        </TextLink>
      }
    >
      <Answered of={useOperator("/sites/{id}", { params: { id: siteId } }, { everyMs: 15_000 })}>
        {({ meters }) => (
          <Table<operator.OperatorMeter>
            label={say("Meters of the site")}
            rows={meters}
            keyOf={({ id }) => id}
            empty={say("The site has no meters.")}
            columns={[
              { head: say("Meter"), cell: ({ name }) => name },
              { head: say("Last reading"), cell: ({ last_reading }) => ago(last_reading?.timestamp, now) },
              { head: say("Power"), number: true, cell: ({ last_reading }) => power(last_reading?.value) },
            ]}
          />
        )}
      </Answered>
    </Card>
  );
};

const Measured = ({ dispatch: { id, program }, siteId, version }: Of & { readonly version: number | undefined }) => {
  const params = { id, site_id: siteId };
  const query = version === undefined ? {} : { version };
  return (
    <Answered of={useOperator(PATH, { params, query })}>
      {(detail) => (
        <SitePerformanceCards
          detail={detail}
          timeZone={program.timezone}
          csvHref={OPERATOR + requestPath(PATH, { params, query: { ...query, format: "csv" } })}
        />
      )}
    </Answered>
  );
};
