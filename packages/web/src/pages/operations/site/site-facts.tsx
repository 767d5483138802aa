import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { exact } from "../../../format/time.js";
import { asksForNear, NearMatchQuestion } from "../../../parts/near-match.js";
import { coordinatesText } from "../../../rules/coordinates.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Card, Facts } from "../../../ui/card.js";
import { Actions } from "../../../ui/dialog.js";
import { ConfirmButton, DialogButton } from "../../../ui/dialog-button.js";
import { Form } from "../../../ui/form.js";
import { TextLink } from "../../../ui/text-link.js";
import { useDraft } from "../../../ui/use-draft.js";
import type { Site } from "./site-columns.js";
import { isComplete, type SiteDraft, SiteFields, siteBody } from "./site-fields.js";
import { useDisplay } from "./use-display.js";

export const SiteFacts = ({ site, writes }: { readonly site: Site; readonly writes: boolean }) => {
  const { id, name, customer_location_id, dispatch_group, timezone, created_at, display_enabled } = site;
  return (
    <Card
      title={say("Site")}
      actions={
        writes && (
          <>
            <DialogButton label={say("Change")} title={say("Change {name}", { name })}>
              {(close) => <Change site={site} onDone={close} />}
            </DialogButton>
            <Display site={site} />
          </>
        )
      }
    >
      <Facts
        facts={[
          [say("Location id"), customer_location_id || "–"],
          [say("Group"), dispatch_group || "–"],
          [say("Time zone"), timezone],
          [say("Coordinates"), <Coordinates key="coordinates" of={site} />],
          [
            say("Data visibility"),
            display_enabled ? (
              <>
                <Badge tone="good">{say("Enabled", {}, "data visibility")}</Badge>{" "}
                {say("Users of the account see its data.")}
              </>
            ) : (
              <>
                <Badge tone="warn">{say("Not enabled", {}, "data visibility")}</Badge>{" "}
                {say("Users of the account see no data yet.")}
              </>
            ),
          ],
          [say("Created", {}, "time"), exact(created_at, timezone)],
          [say("Id"), <code key="id">{id}</code>],
        ]}
      />
    </Card>
  );
};

const Coordinates = ({ of }: { readonly of: Site }) => {
  const text = coordinatesText(of);
  if (text === "") return "–";
  return (
    <>
      {text}{" "}
      <TextLink to="/operations/map" search={{ search: of.name }}>
        {say("Show on the map")}
      </TextLink>
    </>
  );
};

const Change = ({ site, onDone }: { readonly site: Site; readonly onDone: () => void }) => {
  const { id, name, customer_location_id, dispatch_group, timezone } = site;
  const coordinates = coordinatesText(site);
  const draft = useDraft<SiteDraft>({ name, customer_location_id, dispatch_group, timezone, coordinates });
  const change = useFormChange(
    (confirm_near_match: boolean) =>
      callOperator("PATCH", "/sites/{id}", {
        params: { id },
        body: { ...siteBody(draft.values), confirm_near_match },
      }),
    { done: say("Saved."), after: onDone },
  );
  return (
    <Form onSend={() => change.run(false)} error={asksForNear(change.error) ? null : change.error}>
      <SiteFields draft={draft} />
      <Actions>
        <Button
          type="submit"
          look="primary"
          disabled={!isComplete(draft.values)}
          busy={change.isPending && say("Saving…")}
        >
          {say("Save")}
        </Button>
      </Actions>
      <NearMatchQuestion
        noun="site"
        isChange
        fault={change.error}
        onClose={change.reset}
        onConfirm={() => change.run(true)}
        busy={change.isPending}
      />
    </Form>
  );
};

const Display = ({ site: { id, name, display_enabled } }: { readonly site: Site }) => {
  const change = useDisplay(id);
  if (!display_enabled)
    return (
      <Button onClick={() => change.run(true)} busy={change.isPending && say("Enabling…")}>
        {say("Enable data visibility")}
      </Button>
    );
  return (
    <ConfirmButton
      label={say("Disable data visibility")}
      title={say("Hide the data of {name}?", { name })}
      run={() => change.run(false)}
      busy={change.isPending}
    >
      {say(
        "Users of the account will no longer see its readings and performance on pages. Its systems and dispatches are not affected.",
      )}
    </ConfirmButton>
  );
};
