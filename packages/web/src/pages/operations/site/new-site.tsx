import { NAME_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useNavigate } from "@tanstack/react-router";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { asksForNear, NearMatchQuestion } from "../../../parts/near-match.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { Field, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";
import { type AssetType, assetChoices } from "./asset-type.js";
import { isComplete, SiteFields, siteBody } from "./site-fields.js";

const empty = {
  name: "",
  customer_location_id: "",
  dispatch_group: "",
  timezone: "",
  coordinates: "",
  meter: say("main", {}, "name of a meter"),
  asset_type: "load" as AssetType,
};

export const NewSite = ({ accountId }: { readonly accountId: string }) => {
  const draft = useDraft(empty);
  const navigate = useNavigate();
  const create = useFormChange(
    (confirm_near_match: boolean) => {
      const { meter, asset_type } = draft.values;
      const meters = meter.trim() === "" ? [] : [{ name: meter.trim(), asset_type }];
      return callOperator("POST", "/accounts/{id}/sites", {
        params: { id: accountId },
        body: { ...siteBody(draft.values), meters, confirm_near_match },
      });
    },
    {
      done: ({ name }) => say("{name} was added.", { name }, "site"),
      after: ({ id }) => void navigate({ to: "/operations/sites/$id", params: { id }, replace: true }),
    },
  );
  return (
    <Form onSend={() => create.run(false)} error={asksForNear(create.error) ? null : create.error}>
      <SiteFields draft={draft} />
      <Field
        label={say("First meter")}
        hint={say("You can add more on the page of the site.")}
        maxLength={NAME_CHARACTERS}
        {...draft.text("meter")}
        name="meters"
      />
      <Select
        label={say("Asset type")}
        choices={assetChoices}
        {...draft.text("asset_type")}
        name="meters[0].asset_type"
      />
      <Actions>
        <Button
          type="submit"
          look="primary"
          disabled={!isComplete(draft.values)}
          busy={create.isPending && say("Adding…")}
        >
          {say("Add site")}
        </Button>
      </Actions>
      <NearMatchQuestion
        noun="site"
        fault={create.error}
        onClose={create.reset}
        onConfirm={() => create.run(true)}
        busy={create.isPending}
      />
    </Form>
  );
};
