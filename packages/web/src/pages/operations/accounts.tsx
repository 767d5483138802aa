import { useOperatorList } from "../../api/use-call.js";
import { PageHead } from "../../ui/card.js";
import { ListTable } from "../../ui/table.js";

export const AccountsPage = () => (
  <>
    <PageHead title="Accounts" />
    <ListTable
      label="Accounts"
      list={useOperatorList("/accounts", {})}
      keyOf={({ id }) => id}
      empty="No accounts yet."
      columns={[{ head: "Name", cell: ({ name }) => name }]}
    />
  </>
);
