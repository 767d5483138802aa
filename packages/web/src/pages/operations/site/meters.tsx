import { NAME_CHARACTERS } from "@curtail/contract/constants";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { power } from "../../../format/quantity.js";
import { measuredMeters } from "../../../rules/measured-meters.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Actions } from "../../../ui/dialog.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { Field, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { Table } from "../../../ui/table.js";
import { useDraft } from "../../../ui/use-draft.js";
import { useOpening } from "../use-opening.js";
import { type AssetType, assetChoices, assetWords } from "./asset-type.js";
import { MeasuredMeters } from "./measured-meters.js";
import { LastReading, type Meter, type Site } from "./site-columns.js";

export const Meters = ({ site, writes }: { readonly site: Site; readonly writes: boolean }) => {
  const opening = useOpening();
  return (
    <Card
      flush
      title="Meters"
      actions={
        writes && (
          <>
            {site.meters.length > 1 && <MeasuredMeters site={site} />}
            <DialogButton label="Add meter" title="Add a meter" {...opening("meter")}>
              {(close) => <NewMeter site={site} onDone={close} />}
            </DialogButton>
          </>
        )
      }
    >
      <Table<Meter>
        label="Meters"
        rows={site.meters}
        keyOf={({ id }) => id}
        empty="No meters yet. Add one so that the site can send readings."
        columns={[
          {
            head: "Meter",
            cell: ({ id, name }) => (
              <>
                {name}
                <div>
                  <code className="text-xs break-all text-muted">{id}</code>
                </div>
              </>
            ),
          },
          {
            head: "Measures",
            cell: ({ id, asset_type }) => (
              <>
                {assetWords[asset_type]}
                {!measuredMeters(site).includes(id) && <div className="text-xs text-muted">not part of the load</div>}
              </>
            ),
            wide: true,
          },
          { head: "Power", cell: ({ last_reading }) => power(last_reading?.value), number: true },
          { head: "Last reading", cell: ({ last_reading }) => <LastReading at={last_reading?.timestamp ?? null} /> },
          ...(writes
            ? [
                {
                  head: "Action",
                  cell: (meter: Meter) => (
                    <DialogButton label="Change" title={`Change ${meter.name}`}>
                      {(close) => <ChangeMeter meter={meter} onDone={close} />}
                    </DialogButton>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Card>
  );
};

interface MeterDraft {
  readonly name: string;
  readonly asset_type: AssetType;
}

const NewMeter = ({ site: { id, meters }, onDone }: { readonly site: Site; readonly onDone: () => void }) => {
  const add = useFormChange(
    (body: MeterDraft) => callOperator("POST", "/sites/{id}/meters", { params: { id }, body }),
    { done: ({ name }) => `${name} was added.`, after: onDone },
  );
  return (
    <MeterForm
      initial={{ name: meters.length === 0 ? "main" : "", asset_type: "load" }}
      onSend={add.run}
      action="Add"
      busy={add.isPending && "Adding…"}
      error={add.error}
    />
  );
};

const ChangeMeter = ({ meter, onDone }: { readonly meter: Meter; readonly onDone: () => void }) => {
  const { id, name, asset_type } = meter;
  const change = useFormChange((body: MeterDraft) => callOperator("PATCH", "/meters/{id}", { params: { id }, body }), {
    done: "Saved.",
    after: onDone,
  });
  return (
    <MeterForm
      initial={{ name, asset_type }}
      onSend={change.run}
      action="Save"
      busy={change.isPending && "Saving…"}
      error={change.error}
    />
  );
};

const MeterForm = ({
  initial,
  onSend,
  action,
  busy,
  error,
}: {
  readonly initial: MeterDraft;
  readonly onSend: (draft: MeterDraft) => void;
  readonly action: string;
  readonly busy: string | false;
  readonly error: Error | null;
}) => {
  const draft = useDraft(initial);
  return (
    <Form onSend={() => onSend(draft.values)} error={error}>
      <Field label="Name" maxLength={NAME_CHARACTERS} {...draft.text("name")} />
      <Select label="Measures" choices={assetChoices} {...draft.text("asset_type")} />
      <Actions>
        <Button type="submit" look="primary" busy={busy}>
          {action}
        </Button>
      </Actions>
    </Form>
  );
};
