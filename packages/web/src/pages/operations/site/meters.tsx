import { NAME_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useFormChange } from "../../../api/use-change.js";
import { energy, power } from "../../../format/quantity.js";
import { ago } from "../../../format/time.js";
import { asksForNear, NearMatchQuestion } from "../../../parts/near-match.js";
import { measuredMeters } from "../../../rules/measured-meters.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Actions } from "../../../ui/dialog.js";
import { DialogButton } from "../../../ui/dialog-button.js";
import { Field, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { Table } from "../../../ui/table.js";
import { useDraft } from "../../../ui/use-draft.js";
import { useNow } from "../../../ui/use-now.js";
import { type AssetType, assetChoices, assetWords, type KwhChoice, kwhChoices, kwhWords } from "./asset-type.js";
import { MeasuredMeters } from "./measured-meters.js";
import { LastReading, type Meter, type Site } from "./site-columns.js";

export const Meters = ({ site, writes }: { readonly site: Site; readonly writes: boolean }) => {
  return (
    <Card
      flush
      title={say("Meters")}
      actions={
        writes && (
          <>
            {site.meters.length > 1 && <MeasuredMeters site={site} />}
            <DialogButton label={say("Add meter")} title={say("Add a meter")} address="meter">
              {(close) => <NewMeter site={site} onDone={close} />}
            </DialogButton>
          </>
        )
      }
    >
      <Table<Meter>
        label={say("Meters")}
        rows={site.meters}
        keyOf={({ id }) => id}
        empty={say("No meters yet. Add one so that the site can send readings.")}
        columns={[
          {
            head: say("Meter"),
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
            head: say("Measures", {}, "verb"),
            cell: ({ id, asset_type, kwh_means }) => (
              <>
                {assetWords[asset_type]}
                {asset_type === "battery" && (
                  <div className={`text-xs ${kwh_means === "undecided" ? "text-warn" : "text-muted"}`}>
                    {kwhWords[kwh_means]}
                  </div>
                )}
                {!measuredMeters(site).includes(id) && (
                  <div className="text-xs text-muted">{say("not part of the load")}</div>
                )}
              </>
            ),
            wide: true,
          },
          {
            head: say("Power"),
            cell: ({ last_reading, last_charge }) => (
              <>
                {power(last_reading?.value)}
                {last_charge !== null && <LastCharge of={last_charge} />}
                {last_charge !== null && last_reading === null && (
                  <div className="text-xs text-warn">{say("Sends no power in kW: it has no load")}</div>
                )}
              </>
            ),
            number: true,
          },
          {
            head: say("Last reading"),
            cell: ({ last_reading }) => <LastReading at={last_reading?.timestamp ?? null} />,
          },
          ...(writes
            ? [
                {
                  head: say("Action"),
                  cell: (meter: Meter) => (
                    <DialogButton label={say("Change")} title={say("Change {name}", { name: meter.name })}>
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

const LastCharge = ({ of: { timestamp, value } }: { readonly of: NonNullable<Meter["last_charge"]> }) => (
  <div className="text-xs text-muted">
    {say("State of charge {energy}, {ago}", { energy: energy(value), ago: ago(timestamp, useNow()) })}
  </div>
);

interface MeterDraft {
  readonly name: string;
  readonly asset_type: AssetType;
  readonly kwh_means: KwhChoice;
}

interface SentMeter extends MeterDraft {
  readonly confirm_near_match: boolean;
}

/** Only a battery has the setting. */
const bodyOf = ({ kwh_means, ...meter }: SentMeter) =>
  meter.asset_type === "battery" && kwh_means !== "" ? { ...meter, kwh_means } : meter;

const NewMeter = ({ site: { id, meters }, onDone }: { readonly site: Site; readonly onDone: () => void }) => {
  const add = useFormChange(
    (meter: SentMeter) => callOperator("POST", "/sites/{id}/meters", { params: { id }, body: bodyOf(meter) }),
    { done: ({ name }) => say("{name} was added.", { name }, "meter"), after: onDone },
  );
  return (
    <MeterForm
      initial={{
        name: meters.length === 0 ? say("main", {}, "name of a meter") : "",
        asset_type: "load",
        kwh_means: "charge",
      }}
      of={add}
      action={say("Add")}
      busy={say("Adding…")}
    />
  );
};

const ChangeMeter = ({ meter, onDone }: { readonly meter: Meter; readonly onDone: () => void }) => {
  const { id, name, asset_type } = meter;
  const kwh_means = asset_type !== "battery" || meter.kwh_means === "undecided" ? "" : meter.kwh_means;
  const change = useFormChange(
    (sent: SentMeter) => callOperator("PATCH", "/meters/{id}", { params: { id }, body: bodyOf(sent) }),
    { done: say("Saved."), after: onDone },
  );
  return (
    <MeterForm
      initial={{ name, asset_type, kwh_means }}
      of={change}
      isChange
      action={say("Save")}
      busy={say("Saving…")}
    />
  );
};

const MeterForm = ({
  initial,
  of,
  isChange = false,
  action,
  busy,
}: {
  readonly initial: MeterDraft;
  readonly of: {
    readonly run: (meter: SentMeter) => void;
    readonly reset: () => void;
    readonly error: Error | null;
    readonly isPending: boolean;
  };
  readonly isChange?: boolean;
  readonly action: string;
  readonly busy: string;
}) => {
  const draft = useDraft(initial);
  const send = (confirm_near_match: boolean) => of.run({ ...draft.values, confirm_near_match });
  return (
    <Form onSend={() => send(false)} error={asksForNear(of.error) ? null : of.error}>
      <Field label={say("Name")} maxLength={NAME_CHARACTERS} {...draft.text("name")} />
      <Select label={say("Measures", {}, "verb")} choices={assetChoices} {...draft.text("asset_type")} />
      {draft.values.asset_type === "battery" && (
        <Select
          label={say("Uploaded kWh are")}
          hint={say(
            "A state of charge is shown apart and counts as neither load nor energy. Until you decide, kWh count as energy.",
          )}
          choices={kwhChoices(initial.kwh_means)}
          {...draft.text("kwh_means")}
        />
      )}
      <Actions>
        <Button type="submit" look="primary" busy={of.isPending && busy}>
          {action}
        </Button>
      </Actions>
      <NearMatchQuestion
        noun="meter"
        isChange={isChange}
        fault={of.error}
        onClose={of.reset}
        onConfirm={() => send(true)}
        busy={of.isPending}
      />
    </Form>
  );
};
