import { callOperator } from "../../../api/call.js";
import { useChange, useFormChange } from "../../../api/use-change.js";
import { exact } from "../../../format/time.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Card, Facts } from "../../../ui/card.js";
import { Actions } from "../../../ui/dialog.js";
import { ConfirmButton, DialogButton } from "../../../ui/dialog-button.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";
import type { Site } from "./site-columns.js";
import { type SiteDraft, SiteFields } from "./site-fields.js";

export const SiteFacts = ({ site, writes }: { readonly site: Site; readonly writes: boolean }) => {
  const { id, name, customer_location_id, dispatch_group, timezone, created_at, display_enabled } = site;
  return (
    <Card
      title="Site"
      actions={
        writes && (
          <>
            <DialogButton label="Change" title={`Change ${name}`}>
              {(close) => <Change site={site} onDone={close} />}
            </DialogButton>
            <Display site={site} />
          </>
        )
      }
    >
      <Facts
        facts={[
          ["Location id", customer_location_id || "–"],
          ["Group", dispatch_group || "–"],
          ["Time zone", timezone],
          [
            "Data visibility",
            display_enabled ? (
              <Badge tone="good">Enabled: users of the account see its data</Badge>
            ) : (
              <Badge tone="warn">Not enabled: users of the account see no data yet</Badge>
            ),
          ],
          ["Created", exact(created_at, timezone)],
          ["Id", <code key="id">{id}</code>],
        ]}
      />
    </Card>
  );
};

const Change = ({ site, onDone }: { readonly site: Site; readonly onDone: () => void }) => {
  const { id, name, customer_location_id, dispatch_group, timezone } = site;
  const draft = useDraft<SiteDraft>({ name, customer_location_id, dispatch_group, timezone });
  const change = useFormChange((body: SiteDraft) => callOperator("PATCH", "/sites/{id}", { params: { id }, body }), {
    done: "Saved.",
    after: onDone,
  });
  return (
    <Form onSend={() => change.run(draft.values)} error={change.error}>
      <SiteFields draft={draft} />
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && "Saving…"}>
          Save
        </Button>
      </Actions>
    </Form>
  );
};

const Display = ({ site: { id, name, display_enabled } }: { readonly site: Site }) => {
  const change = useChange(
    (to: boolean) => callOperator("PATCH", "/sites/{id}", { params: { id }, body: { display_enabled: to } }),
    {
      done: display_enabled ? "Users of the account no longer see its data." : "Users of the account now see its data.",
    },
  );
  if (!display_enabled)
    return (
      <Button look="primary" onClick={() => change.run(true)} busy={change.isPending && "Enabling…"}>
        Enable data visibility
      </Button>
    );
  return (
    <ConfirmButton
      label="Disable data visibility"
      title={`Hide the data of ${name}?`}
      run={() => change.run(false)}
      busy={change.isPending}
    >
      Users of the account will no longer see its readings and performance on pages. Its systems and dispatches are not
      affected.
    </ConfirmButton>
  );
};
