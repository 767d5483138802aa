import { useConsole } from "../../api/use-call.js";
import { PageHead } from "../../ui/card.js";
import { Answered } from "../../ui/state.js";
import { Table } from "../../ui/table.js";

export const NowPage = () => (
  <>
    <PageHead title="Now" />
    <Answered of={useConsole("/sites", {})}>
      {({ sites }) => (
        <Table
          label="Sites"
          rows={sites}
          keyOf={({ id }) => id}
          empty="No sites yet. The operator adds them."
          columns={[{ head: "Site", cell: ({ name }) => name }]}
        />
      )}
    </Answered>
  </>
);
