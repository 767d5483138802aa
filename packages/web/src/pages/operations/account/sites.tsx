import { say } from "@curtail/words/page";
import { useUser } from "../../../api/session.js";
import { useOperatorList } from "../../../api/use-call.js";
import { mayWrite } from "../../../rules/role.js";
import { Card } from "../../../ui/card.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { ListTable } from "../../../ui/table.js";
import { NewSite } from "../site/new-site.js";
import { siteColumns } from "../site/site-columns.js";

export const Sites = ({ accountId }: { readonly accountId: string }) => {
  return (
    <Card
      flush
      title={say("Sites")}
      actions={
        mayWrite(useUser()) && (
          <DialogButton look="primary" label={say("New site")} address="new">
            {() => <NewSite accountId={accountId} />}
          </DialogButton>
        )
      }
    >
      <ListTable
        label={say("Sites")}
        list={useOperatorList("/accounts/{id}/sites", { params: { id: accountId } })}
        keyOf={({ id }) => id}
        empty={say("No sites yet. Add one with its meters, or import a file with many.")}
        columns={siteColumns}
      />
    </Card>
  );
};
