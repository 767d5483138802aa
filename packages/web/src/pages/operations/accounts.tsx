import { NAME_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { callOperator } from "../../api/call.js";
import { useUser } from "../../api/session.js";
import { useFormChange } from "../../api/use-change.js";
import { asksForNear, NearMatchQuestion } from "../../parts/near-match.js";
import { SimulatedMark } from "../../parts/simulated-mark.js";
import { mayWrite } from "../../rules/role.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Card, PageHead } from "../../ui/card.js";
import { Actions } from "../../ui/dialog.js";
import { DialogButton } from "../../ui/dialog-button.js";
import { Field } from "../../ui/field.js";
import { Filters } from "../../ui/filters.js";
import { Form } from "../../ui/form.js";
import { Exact } from "../../ui/page-zone.js";
import { ListTable } from "../../ui/table.js";
import { AccountLink } from "./account-link.js";
import { useIsDemoThere } from "./demo/use-demo.js";
import { NextStep } from "./first-steps/next-step.js";
import { TableFiles } from "./table-files.js";
import { useAccounts } from "./use-accounts.js";

const DEMO_NOTE = "no-accounts-while-demo";

/** The participants' accounts. */
export const AccountsPage = () => {
  const writes = mayWrite(useUser());
  const isDemo = useIsDemoThere();
  return (
    <>
      <PageHead
        title={say("Accounts")}
        lead={say("Participants: the organisations that own sites, receive dispatches and send readings.")}
        actions={
          <>
            <TableFiles path="/accounts/download" />
            {writes && isDemo && (
              <Button look="primary" disabled aria-describedby={DEMO_NOTE}>
                {say("New account")}
              </Button>
            )}
            {writes && !isDemo && (
              <DialogButton look="primary" label={say("New account")} address="new">
                {() => <NewAccount />}
              </DialogButton>
            )}
          </>
        }
      />
      {writes && isDemo && (
        <p id={DEMO_NOTE} className="mb-4 text-muted">
          {say("While there is a demo, accounts cannot be added. Remove the demo first.")}
        </p>
      )}
      <NextStep />
      <Accounts />
    </>
  );
};

const Accounts = () => {
  const [search, setSearch] = useState("");
  const list = useAccounts();
  const wanted = search.trim().toLowerCase();
  const items = list.items.filter(({ name, id }) => `${name} ${id}`.toLowerCase().includes(wanted));
  return (
    <Card flush>
      <Filters>
        <Field
          label={say("Search")}
          type="search"
          placeholder={say("Name or id")}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      </Filters>
      <ListTable
        label={say("Accounts")}
        list={{ ...list, items }}
        keyOf={({ id }) => id}
        empty={
          list.items.length === 0
            ? say("No accounts yet. Create one for each participant, or import accounts, sites and meters from a file.")
            : say("No matching accounts.")
        }
        columns={[
          {
            head: say("Name"),
            cell: (account) => (
              <>
                <AccountLink id={account.id} name={account.name} />
                <SimulatedMark of={account} />
              </>
            ),
          },
          {
            head: say("State"),
            cell: ({ disabled }) =>
              disabled ? <Badge tone="bad">{say("Disabled")}</Badge> : <Badge tone="good">{say("Enabled")}</Badge>,
          },
          { head: say("Created"), cell: ({ created_at }) => <Exact at={created_at} />, wide: true },
          { head: say("Id"), cell: ({ id }) => <code className="text-muted">{id}</code>, wide: true },
        ]}
      />
    </Card>
  );
};

const NewAccount = () => {
  const [name, setName] = useState("");
  const navigate = useNavigate();
  const create = useFormChange(
    (confirm_near_match: boolean) =>
      callOperator("POST", "/accounts", { body: { name: name.trim(), confirm_near_match } }),
    {
      done: ({ name: made }) => say("{name} was created.", { name: made }),
      after: ({ id }) => void navigate({ to: "/operations/accounts/$id", params: { id }, replace: true }),
    },
  );
  return (
    <Form onSend={() => create.run(false)} error={asksForNear(create.error) ? null : create.error}>
      <Field
        label={say("Name of the participant")}
        hint={say("The name of the organisation.")}
        maxLength={NAME_CHARACTERS}
        name="name"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Actions>
        <Button type="submit" look="primary" busy={create.isPending && say("Creating…")}>
          {say("Create")}
        </Button>
      </Actions>
      <NearMatchQuestion
        noun="account"
        fault={create.error}
        onClose={create.reset}
        onConfirm={() => create.run(true)}
        busy={create.isPending}
      />
    </Form>
  );
};
