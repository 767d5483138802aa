import { useOperatorList } from "../../api/use-call.js";
import { PageHead } from "../../ui/card.js";
import { ListTable } from "../../ui/table.js";

export const BoardPage = () => (
  <>
    <PageHead title="Board" />
    <ListTable
      label="Alarms"
      list={useOperatorList("/alarms", {})}
      keyOf={({ id }) => id}
      empty="No alarms."
      columns={[{ head: "Alarm", cell: ({ message }) => message }]}
    />
  </>
);
